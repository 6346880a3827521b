use std::io::Write;

use clap::{Args, Subcommand};
use serde_json::json;

use super::{Context, Failure};
use crate::{
    agents::AgentSpec,
    console,
    model::Scale,
    profiles::{Profile, Shelf, ShelfError},
};

/// Show and forget what is remembered of opponents
///
/// The engine keeps a profile of each opponent whose name it is told (UCI_Opponent) while Opponent Profiles is on.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare profiles list                       all opponents, with their apparent competence
  errare profiles show 'Walter Browne'       one opponent
  errare profiles export 'Walter Browne'     all decisions that are remembered, as lines of JSON
  errare profiles forget 'Walter Browne'     deletes the profile")]
pub struct Arguments {
    #[command(subcommand)]
    command: ProfilesCommand,
    /// The folder with profiles, instead of the one in the settings
    #[arg(long, global = true, value_name = "FOLDER")]
    path: Option<String>,
    /// One JSON object a profile
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum ProfilesCommand {
    /// List all profiles
    List,
    /// Show what is believed of an opponent
    Show {
        /// The name, as the chess program sends it
        name: String,
    },
    /// Delete a profile
    Forget {
        /// The name, as the chess program sends it
        name: String,
    },
    /// Print a profile as it is stored
    Export {
        /// The name, as the chess program sends it
        name: String,
    },
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let shelf = Shelf::new(arguments.path.as_deref().unwrap_or(&context.config.profiles.path));
    let spec = &context.config.play.clone();
    let one = |name: &str| {
        let found = shelf.get(name).map_err(Failure::failed)?;
        found.ok_or_else(|| Failure::usage(ShelfError::Unknown(name.to_owned())))
    };
    match &arguments.command {
        ProfilesCommand::List => {
            let all = shelf.all().map_err(Failure::failed)?;
            if all.is_empty() && !arguments.json {
                writeln!(context.out, "no profiles in {}", shelf.folder().display())?;
            }
            for profile in all {
                match profile {
                    Ok(profile) => show(&profile, spec, arguments.json, context.out)?,
                    Err(error) => console::tell(format_args!("errare: {error}")),
                }
            }
        }
        ProfilesCommand::Show { name } => show(&one(name)?, spec, arguments.json, context.out)?,
        ProfilesCommand::Forget { name } => shelf.forget(name).map_err(|error| match error {
            ShelfError::Unknown(_) => Failure::usage(error),
            error => Failure::failed(error),
        })?,
        ProfilesCommand::Export { name } => {
            write!(context.out, "{}", one(name)?.text().map_err(Failure::failed)?)?
        }
    }
    Ok(())
}

fn show(profile: &Profile, spec: &AgentSpec, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let mut analyser = spec.analyser().map_err(Failure::usage)?;
    for seen in profile.observations() {
        if seen.look.metric().is_some_and(|metric| metric != spec.metric) {
            continue;
        }
        if let Err(error) = analyser.observe(seen) {
            log::warn!("a move of {} can't be judged: {error}", profile.name());
        }
    }
    let beliefs = Scale::ALL.map(|scale| analyser.belief(scale));
    if as_json {
        let scales: serde_json::Map<_, _> = beliefs
            .iter()
            .map(|belief| {
                let known = |number: f64| belief.is_informed().then_some(number);
                let numbers = json!({
                    "moves": belief.observed(), "c": known(belief.mean()), "deviation": known(belief.deviation()),
                    "interval": belief.is_informed().then(|| belief.interval(0.95)),
                    "all_optimal": belief.all_optimal(),
                });
                (belief.scale().to_string(), numbers)
            })
            .collect();
        writeln!(out, "{}", json!({"name": profile.name(), "scales": scales}))?;
        return Ok(());
    }
    writeln!(out, "{}", profile.name())?;
    for belief in beliefs.iter().filter(|belief| belief.observed() > 0) {
        let digits = if belief.scale() == Scale::Table { 1 } else { 2 };
        if !belief.is_informed() {
            writeln!(out, "  {:<10}  no information after {} moves", belief.scale(), belief.observed())?;
            continue;
        }
        let (low, high) = belief.interval(0.95);
        writeln!(
            out,
            "  {:<10}  c {:.digits$} ± {:.digits$}, 95 % from {low:.digits$} to {high:.digits$}, after {} moves",
            belief.scale(),
            belief.mean(),
            belief.deviation(),
            belief.observed(),
        )?;
    }
    Ok(())
}
