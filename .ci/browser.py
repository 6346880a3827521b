"""What visitors do, done in a real browser: by mouse, by finger, by keyboard, and with bad intent."""

import os
import re
import signal
import subprocess
import sys
import time

from playwright.sync_api import expect, sync_playwright

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]
# Generous: other programs may keep the machine busy.
PATIENCE = 120_000

program, work = sys.argv[1:3]
shots = sys.argv[4] if sys.argv[3:4] == ["--shots"] else None
followed = os.path.join(work, "round.pgn")
expect.set_options(timeout=PATIENCE)


class Server:
    """errare serve, with folders of its own."""

    def __init__(self, port=0):
        settings = os.path.join(work, "engine.toml")
        tables = os.environ.get("ERRARE_TABLES", os.path.join(work, "tables"))
        with open(settings, "w") as file:
            file.write(f'[tables]\npath = "{tables}"\nbuild_men = 3\n')
        command = [program, "--config", settings, "serve", "--port", str(port), "--folder", os.path.join(work, "kept"),
                   "--follow", followed]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip().rstrip("/")

    def stop(self):
        # As by Ctrl-C.
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(60) == 0

    def kill(self):
        self.process.kill()
        self.process.wait(60)


def context(browser, server, width=1280, height=900, **more):
    """A visitor who has never been here, and whose every request is looked at."""
    made = browser.new_context(viewport={"width": width, "height": height}, **more)
    made.set_default_timeout(PATIENCE)
    made.foreign, made.errors = [], []

    def watch(page):
        page.on("request", lambda request: request.url.startswith(server.address) or made.foreign.append(request.url))
        page.on("pageerror", lambda error: made.errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and made.errors.append(message.text))

    made.on("page", watch)
    return made


def done(made, allowed=()):
    errors = [error for error in made.errors if not any(part in error for part in allowed)]
    assert not made.foreign, f"requests to other hosts: {made.foreign}"
    assert not errors, f"errors: {errors}"
    made.close()


def choose(page, agent="Player", level=None, by_c=None, fen=None, side="white", clock=None):
    """Fills in the form and begins a game."""
    page.goto(page.base)
    page.locator(f"[name=agent][value={agent}]").check()
    if by_c is not None:
        page.locator("#by-c").check()
        page.locator("#c").fill(str(by_c[0]))
        page.locator("#game-c").fill(str(by_c[1]))
    if fen:
        page.locator("#task").select_option("fen")
        page.locator("#fen").fill(fen)
    if clock:
        page.locator("#clock").select_option(clock)
    page.locator(f"[name=side][value={side}]").check()
    page.get_by_role("button", name="Play", exact=True).last.click()
    expect(page.locator("#game")).to_be_visible()


def my_turn(page):
    expect(page.locator("#status")).to_have_text(re.compile("^(Your move|Try|You have|A draw)"))


def is_over(page):
    return bool(re.match("You have|A draw", page.locator("#status").inner_text()))


def hint(page):
    """The squares of a good move."""
    page.locator("#hint").click()
    expect(page.locator("#board .hint")).to_have_count(2)
    start = page.locator("#board .hint.mine").get_attribute("data-square")
    ends = [cell.get_attribute("data-square") for cell in page.locator("#board .hint").all()]
    return start, next(square for square in ends if square != start)


def centre(page, square):
    box = page.locator(f"[data-square={square}]").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end):
    page.mouse.move(*centre(page, start))
    page.mouse.down()
    page.mouse.move(*centre(page, end), steps=4)
    page.mouse.up()


def tap(page, start, end):
    page.touchscreen.tap(*centre(page, start))
    page.touchscreen.tap(*centre(page, end))


def whole_game(page, move, most=70):
    """Plays good moves until the game is over."""
    for _ in range(most):
        my_turn(page)
        if is_over(page):
            return
        plies = page.locator("#moves button").count()
        start, end = hint(page)
        page.locator("#board").scroll_into_view_if_needed()
        move(page, start, end)
        if page.locator("dialog.promotion").count():
            page.locator("dialog.promotion [data-promote=q]").click()
        expect(page.locator("#moves button").nth(plies)).to_be_attached()
    raise AssertionError("the game has no end")


def by_mouse(browser, server):
    made = context(browser, server)
    page = made.new_page()
    page.base = server.address
    choose(page, by_c=(0, 0))
    picture(page, "practice-begun")
    whole_game(page, drag)
    expect(page.locator("#status")).to_have_text("You have won: checkmate.")
    expect(page.locator("#ended")).to_be_visible()
    expect(page.locator("#elo-chart svg, #curve[hidden]").first).to_be_attached()
    picture(page, "practice-over")
    narrow(page, "practice-over")
    done(made)


def by_touch(browser, server):
    made = context(browser, server, 360, 740, has_touch=True, is_mobile=True)
    page = made.new_page()
    page.base = server.address
    choose(page, by_c=(0, 0), fen="4k3/8/8/8/8/8/3Q1R2/4K3 w - - 0 1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360, "the page is wider than the screen"
    whole_game(page, tap)
    expect(page.locator("#status")).to_have_text("You have won: checkmate.")
    picture(page, "practice-phone")
    done(made)


def by_keyboard(browser, server):
    made = context(browser, server)
    page = made.new_page()
    page.goto(server.address)
    expect(page.locator("#agents label")).not_to_have_count(0)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Play":
            break
    page.keyboard.press("Enter")
    expect(page.locator("#game")).to_be_visible()
    my_turn(page)
    # To the board, with arrows to e2 and e4.
    page.locator("body").press("Tab")
    for _ in range(40):
        if page.evaluate("document.activeElement.dataset.square"):
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.square") == "e2"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert "can be moved to" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    expect(page.locator("#moves button").first).to_have_text("e4")
    expect(page.locator("#announce")).to_contain_text("You: e4")
    my_turn(page)
    # By name.
    page.locator("#san").focus()
    page.keyboard.type("Nf3")
    page.keyboard.press("Enter")
    expect(page.locator("#moves button").nth(2)).to_have_text("Nf3")
    my_turn(page)
    page.locator("#san").fill("Ke5")
    page.keyboard.press("Enter")
    expect(page.locator("#trouble")).to_contain_text("can't be played here")
    done(made, allowed=["400"])


def small_things(browser, server):
    made = context(browser, server)
    page = made.new_page()
    page.base = server.address
    # Promotion, to something else than a queen.
    choose(page, agent="Search", fen="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    my_turn(page)
    page.locator("[data-square=a7]").click()
    page.locator("[data-square=a8]").click()
    page.locator("dialog.promotion [data-promote=r]").click()
    expect(page.locator("#moves button").first).to_have_text("a8=R+")
    my_turn(page)
    # Taken back, and again after a reload.
    expect(page.locator("#verdict-text")).to_contain_text("a8=R+")
    page.locator("#takeback").click()
    expect(page.locator("#moves button")).to_have_count(0)
    page.locator("#san").fill("a8=Q+")
    page.keyboard.press("Enter")
    my_turn(page)
    expect(page.locator("#moves button")).to_have_count(2)
    page.reload()
    expect(page.locator("#moves button")).to_have_count(2)
    expect(page.locator("[data-square=a8]")).to_have_attribute("aria-label", "a8, white queen")
    # Another tab sees the same game, and what is played in it.
    other = made.new_page()
    other.goto(page.url)
    expect(other.locator("#moves button")).to_have_count(2)
    other.locator("#san").fill("Kb2")
    other.keyboard.press("Enter")
    page.bring_to_front()
    expect(page.locator("#moves button").nth(2)).to_have_text("Kb2")
    other.close()
    my_turn(page)
    first = lambda: page.locator("#board .square").first.get_attribute("data-square")
    assert first() == "a8"
    page.locator("#flip").click()
    assert first() == "h1"
    page.locator("#flip").click()
    # Resigned, then begun anew.
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#resign").click()
    expect(page.locator("#status")).to_have_text("You have lost: resignation.")
    page.locator("#new").click()
    expect(page.locator("#own li")).not_to_have_count(0)
    # Men put up by hand.
    page.locator("#task").select_option("fen")
    page.locator("#clear").click()
    for man, square in [("white king", "e1"), ("black king", "e8"), ("white queen", "d1")]:
        page.get_by_role("button", name=man).click()
        page.locator(f"[data-square={square}]").click()
    expect(page.locator("#fen")).to_have_value("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")
    picture(page, "practice-setup")
    done(made)


# What the server tells is held back for as long as the page says so.
HELD = """const Plain = EventSource;
window.EventSource = class extends Plain {
  set onmessage(hear) {
    super.onmessage = (event) => (window.held ? window.held.push(() => hear(event)) : hear(event));
  }
};
window.release = () => { const held = window.held; window.held = null; held.forEach((hear) => hear()); };"""


def premove(browser, server):
    made = context(browser, server)
    page = made.new_page()
    page.base = server.address
    page.add_init_script(HELD)
    choose(page, agent="Search", fen="7k/8/6pp/8/8/6PP/P7/K7 w - - 0 1")
    my_turn(page)
    # The answer is held back, so that there is time to move before it.
    page.evaluate("window.held = []")
    page.locator("[data-square=a2]").click()
    page.locator("[data-square=a4]").click()
    expect(page.locator("#status")).to_have_text("Your partner thinks …")
    page.locator("[data-square=a4]").click()
    page.locator("[data-square=a5]").click()
    expect(page.locator("#board .premove")).to_have_count(2)
    expect(page.locator("#status")).to_have_text("Your move is ready for the answer.")
    # Taken back by Escape, and made again by keyboard.
    page.locator("[data-square=a4]").focus()
    page.keyboard.press("Escape")
    expect(page.locator("#board .premove")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#board .premove")).to_have_count(2)
    page.evaluate("window.release()")
    expect(page.locator("#moves button").nth(2)).to_have_text("a5")
    expect(page.locator("#board .premove")).to_have_count(0)
    done(made)


def endgames(browser, server):
    """Endgames by name, won at a chosen depth or drawn; the truth of tables; draws; famous positions; games in and out; clocks."""
    made = context(browser, server)
    page = made.new_page()
    page.base = server.address
    page.on("dialog", lambda dialog: dialog.accept())

    def endgame(name, value, depth=None, side="white"):
        page.goto(page.base)
        page.locator("[name=agent][value=Infallible]").check()
        page.locator("#task").select_option("endgame")
        page.locator("#endgame").select_option(name)
        page.locator("#value").select_option(value)
        if depth:
            page.locator("#depth").fill(str(depth))
        page.locator(f"[name=side][value={side}]").check()
        page.get_by_role("button", name="Play", exact=True).last.click()
        expect(page.locator("#game")).to_be_visible()
        my_turn(page)

    endgame("KRK", "win", 10)
    start, end = hint(page)
    drag(page, start, end)
    expect(page.locator("#verdict-text")).to_contain_text("Won in 10, you are now winning in 9")
    expect(page.locator("#verdict-chance")).to_contain_text("With a hint")
    # The quickest move, and one that is not: from a fixed position, since in a random one a slow move may also lose the rook.
    choose(page, agent="Infallible", fen="8/8/8/4k3/8/8/8/R3K3 w - - 0 1")
    for move, verdict in [("Ke2", "Won in 14, you are now winning in 13"), ("Ke1", "Won in 13, you are now winning in [0-9]+; .* was quicker")]:
        my_turn(page)
        page.locator("#san").fill(move)
        page.keyboard.press("Enter")
        expect(page.locator("#verdict-text")).to_have_text(re.compile(verdict))
    my_turn(page)
    page.locator("#resign").click()
    expect(page.locator("#ended")).to_be_visible()
    expect(page.locator("#review")).to_contain_text("Where you erred most")
    picture(page, "endgame-over")
    narrow(page, "endgame-over")
    # Again from where the error was.
    page.locator("#review").get_by_role("button", name="Try again").first.click()
    expect(page.locator("#moves button")).to_have_count(2)
    expect(page.locator("#status")).to_have_text(re.compile("^Your move"))

    # A draw is refused by whoever is winning, and agreed to elsewhere.
    endgame("KRK", "win", 10, side="black")
    page.locator("#draw").click()
    expect(page.locator("#remarks")).to_contain_text("No draw")
    endgame("KPK", "draw", side="black")
    page.locator("#draw").click()
    expect(page.locator("#status")).to_have_text("A draw: agreement.")

    # A famous position, with a clock.
    page.goto(page.base)
    page.locator("#task").select_option("position")
    page.locator("#study").select_option("philidor")
    expect(page.locator("[data-square=d5]")).to_have_attribute("aria-label", "d5, white king")
    expect(page.locator("#table-note")).to_contain_text("With its table the truth is exact")
    page.locator("[name=side][value=black]").check()
    page.locator("#clock").select_option("180+2")
    page.get_by_role("button", name="Play", exact=True).last.click()
    expect(page.locator("#my-clock")).to_have_text(re.compile("2:5[0-9]"))
    expect(page.locator("#my-clock")).to_have_class(re.compile("running"))
    page.locator("#san").fill("Rb6")
    page.keyboard.press("Enter")
    my_turn(page)
    # Out as PGN, and in again.
    with page.expect_download() as saved:
        page.locator("#pgn-out").click()
    text = open(saved.value.path()).read()
    assert '[FEN "3k4/7R/r7/3KP3/8/8/8/8 b - - 0 1"]' in text and "1... Rb6" in text, text
    page.goto(page.base)
    page.locator("#task").select_option("pgn")
    page.locator("#pgn").fill(text)
    page.locator("[name=side][value=black]").check()
    page.get_by_role("button", name="Play", exact=True).last.click()
    expect(page.locator("#moves button")).to_have_count(2)
    expect(page.locator("#moves button").first).to_have_text("Rb6")
    done(made)


GAMES = [
    "1. f3 e5 2. g4 Qh4# 0-1",
    "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0",
    "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0",
    "1. d4 Nf6 2. Bg5 c6 3. e3 Qa5+ 0-1",
    "1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nd7 5. Qe2 Ngf6 6. Nd6# 1-0",
]


LONG = """[Event "Match"]
[White "Player 0"]
[Black "Player 7"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2 cxd4 13. cxd4 Nc6
14. Nb3 a5 15. Be3 a4 1/2-1/2

"""


def review(browser, server):
    made = context(browser, server, 1280, 900)
    page = made.new_page()
    page.goto(f"{server.address}/games")
    text = "".join(
        f'[Event "Test"]\n[White "Player {number % 7}"]\n[Black "Player {7 + number % 5}"]\n\n{GAMES[number % 5]}\n\n' for number in range(199))
    text = LONG + text
    page.locator("#file").set_input_files({"name": "games.pgn", "mimeType": "text/plain", "buffer": text.encode()})
    expect(page.locator("#progress-text")).to_contain_text("of 200 games reviewed")
    expect(page.locator("#progress-line")).to_be_hidden(timeout=900_000)
    expect(page.locator("#games tbody tr")).to_have_count(50)
    expect(page.locator("#players tbody tr")).to_have_count(12)
    picture(page, "games")
    narrow(page, "games")
    page.locator("#games tbody tr a", has_text="Open").nth(2).click()
    expect(page.locator("#headline")).to_contain_text("Player")
    expect(page.locator("#moves button")).to_have_count(7)
    # A point of a chart is a position.
    box = page.locator("#evaluation svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    expect(page.locator("#moves [aria-current]")).to_have_count(1)
    picture(page, "game")
    narrow(page, "game")
    page.locator("#back").click()
    page.locator("#players a", has_text=re.compile("^Player 0$")).click()
    expect(page.locator("#player-line")).to_contain_text("Rated from 7 decisions in")
    for figure in ["Chooses like Elo", "Competence c", "First choices played", "Pawns given up a move"]:
        expect(page.locator("#player-figures")).to_contain_text(figure)
    expect(page.locator("#player-figures")).to_contain_text("expected")
    expect(page.locator("#player-chart svg .band")).to_have_count(1)
    picture(page, "player")
    narrow(page, "player")
    done(made)


HOSTILE = """[Event "<script>window.hacked=1</script>"]
[White "<img src=x onerror='window.hacked=2'>"]
[Black "javascript:window.hacked=3"]

1. e4 {<script>window.hacked=4</script>} e5 2. Nf3 *
"""


def hostile(browser, server):
    made = context(browser, server)
    page = made.new_page()
    page.on("dialog", lambda dialog: made.errors.append(dialog.message))
    page.goto(f"{server.address}/games")
    page.locator("summary", has_text="paste").click()
    page.locator("#pgn").fill(HOSTILE)
    page.get_by_role("button", name="Review").click()
    expect(page.locator("#games tbody tr")).to_have_count(1)
    expect(page.locator("#games tbody td").first).to_have_text("<img src=x onerror='window.hacked=2'>")
    page.locator("#games tbody a", has_text="Open").click()
    expect(page.locator("#about")).to_contain_text("<script>window.hacked=1</script>")
    page.goto(f"{server.address}/live")
    page.locator("#pgn").fill(HOSTILE)
    page.get_by_role("button", name="Watch").click()
    expect(page.locator("#headline")).to_contain_text("javascript:window.hacked=3")
    assert page.evaluate("window.hacked") is None
    done(made)


def dashboard(browser, server):
    made = context(browser, server)
    page = made.new_page()
    page.goto(f"{server.address}/live")
    page.locator("#feeds a").first.click()
    expect(page.locator("#moves button")).to_have_count(4)
    with open(followed, "a") as file:
        file.write("3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 ")
    expect(page.locator("#moves button")).to_have_count(15)
    expect(page.locator("#judged")).to_have_text("")
    expect(page.locator("#competence svg .band")).to_have_count(2)
    expect(page.locator("#announce")).to_contain_text("played c3")
    picture(page, "live")
    narrow(page, "live")
    done(made)


NAMES = """() => [...document.querySelectorAll('button, input, select, textarea, a, [role=gridcell]')]
  .filter((element) => element.checkVisibility())
  .filter((element) => !(element.getAttribute('aria-label') || element.textContent.trim() || element.labels?.length))
  .map((element) => element.outerHTML)"""

# Text against what is behind it, by the formula of WCAG 2.
CONTRAST = """() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!text || !element.checkVisibility() || element.closest('svg, :disabled, .unseen, .skip')) continue;
    const [a, b] = [light(parts(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push(`${element.tagName}.${element.className} ${element.textContent.slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return found;
}"""


def for_everybody(browser, server):
    """Names for screen readers, contrast, order of tabs, width, weight; in light and dark, wide and narrow."""
    for width in [1280, 360]:
        made = context(browser, server, width, 800)
        page = made.new_page()
        weight = {}
        page.on("response", lambda response: "/api/" in response.url or weight.setdefault(
            response.url, int(response.headers.get("content-length", 0))))
        for path in ["", "/live", "/games"]:
            page.goto(server.address + path)
            page.wait_for_load_state("networkidle") if path == "" else page.wait_for_timeout(300)
            picture(page, path.strip("/") or "new")
        assert 40_000 < sum(weight.values()) <= 150_000, weight
        # The order of tabs is that of the page.
        page.goto(server.address)
        expect(page.locator("#agents label")).not_to_have_count(0)
        order = []
        for _ in range(30):
            page.keyboard.press("Tab")
            order.append(page.evaluate(
                "document.activeElement === document.body ? null : [...document.querySelectorAll('*')].indexOf(document.activeElement)"))
        walked = [place for place in order if place is not None]
        assert len(walked) > 8 and walked[:8] == sorted(walked[:8]), order
        done(made)


def restart(browser, server):
    """A game goes on after the server was started anew."""
    made = context(browser, server)
    page = made.new_page()
    page.base = server.address
    choose(page, agent="Search")
    my_turn(page)
    page.locator("#san").fill("e4")
    page.keyboard.press("Enter")
    my_turn(page)
    expect(page.locator("#moves button")).to_have_count(2)
    port = int(server.address.rsplit(":", 1)[1])
    for end in [server.stop, server.kill]:
        plies = page.locator("#moves button").count()
        end()
        again = Server(port)
        assert again.address == server.address
        server.process = again.process
        page.reload()
        expect(page.locator("#moves button")).to_have_count(plies)
        # Once a move was answered it is kept, whatever happens.
        with page.expect_response(re.compile("/move$")):
            page.locator("#san").fill("Nf3" if plies == 2 else "Nc3")
            page.keyboard.press("Enter")
        my_turn(page)
        expect(page.locator("#moves button")).to_have_count(plies + 2)
    done(made, allowed=["ERR_", "Failed to load"])


def picture(page, name):
    """What is seen now can be read by everybody, in light and dark; and is kept, if pictures are wanted."""
    width = page.viewport_size["width"]
    for scheme in ["dark", "light"]:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(400 if shots else 50)
        nameless, faint = page.evaluate(NAMES), page.evaluate(CONTRAST)
        assert not nameless, f"{name}: without a name: {nameless}"
        assert not faint, f"{name} {scheme}: too faint: {faint}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} is wider than {width}"
        if shots:
            os.makedirs(shots, exist_ok=True)
            page.screenshot(path=os.path.join(shots, f"{name}-{scheme}-{width}.png"), full_page=True)


def narrow(page, name):
    """The same on a phone."""
    wide = page.viewport_size
    page.set_viewport_size({"width": 360, "height": 740})
    picture(page, name)
    page.set_viewport_size(wide)


def main():
    with open(followed, "w") as file:
        file.write('[Event "Hall"]\n[White "A. First"]\n[Black "B. Second"]\n\n1. e4 e5 2. Nf3 Nc6 ')
    server = Server()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=FLAGS)
            checks = [for_everybody, by_mouse, by_touch, by_keyboard, small_things, premove, endgames, dashboard, hostile, review, restart]
            only = os.environ.get("ONLY", "").split()
            for check in checks:
                if only and check.__name__ not in only:
                    continue
                begun = time.time()
                check(browser, server)
                print(f"{check.__name__}: fine, {time.time() - begun:.0f} s", flush=True)
            browser.close()
    finally:
        server.stop()


main()
