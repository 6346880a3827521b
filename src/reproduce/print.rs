//! The annotations of P1's Appendix B, a word for each half-move: the move, its mark, `⊙` if the model prefers it,
//! `{+i/+j:optimal moves}` where depth was conceded, `[other optimal moves]` where Black had a choice.

pub const GAME_1: &str = "\
Kb7 Re7+' Kc6 Re6+' Kd7 Re7+' Kd8' Re4' Qc5 Re5' Qd4{+1/+1:Qc3,Qc4,Qf8+,Qg1} Kf5' Kd7 Re4' Qd3 Kf4⊙[Ke5] Kd6 Re3[Re1⊙] \
Qd4+ Re4' Qf2+ Kg4' Kd5 Re8[Re7⊙] Qf6 Re3[Re1⊙] Kd4 Rf3' Qg6+ Kf4' Qg2 Ra3' Qc6{+3/+4:Qd2+,Qe4+} Ra1' \
Qc7+{+2/+6:Qc2} Kf5' Qc2+{+1/+7:Qc8+} Ke6' Qd2{+1/+8:Qc4+} Ra7⊙[Ra4+] Qb4{+2/+10:Qe1+,Qe2+,Qe3+,Qh6+} Re7' \
Ke4{+1/+11:Qa5,Qb3+,Qc3,Qc5,Qe1+} Kf6+' Kf4' Ke6' Qd4 Rf7+' Ke4' Rf6' Qd5+{+2/+13:Qd8} Ke7° Ke5' Rh6[Rg6⊙] Qb7+ \
Kd8' Qf7' Rc6⊙[Ra6] Kd5' Rb6' Kc5{+1/+14:Qf4} Ra6' Qc4{+4/+18:Qd5+} Rf6' Qh4{+2/+20:Kd5} Ke7' Kd5' Kf7' Ke5 Re6+' \
Kf5' Rd6' Qc4+' Ke7' Ke5' Rh6⊙[Rg6] Qc7+' Kf8' Kf5{+3/+23:Qd7} Ke8' Qc1{+2/+25:Qe5+} Rd6' Qc8+{+2/+27:Qc7} Ke7' \
Qc7+ Rd7' Qc5+' Kd8' Ke6 Rb7'";

pub const GAME_2: &str = "\
Kb7 Rb4+' Kc6 Rc4+' Kb5 Rb4+' Ka5' Re4' Qd6 Rd4' Qe5{+1/+1:Qa3+,Qe6,Qf6,Qh2} Kd3' Kb5 Re4' Qf6 Ke3' Kc5 Rf4' Qg6 \
Ra4[Re4⊙] Qg3+ Ke2' Qc3 Rf4[Re4,Rg4⊙,Rh4] Kd5' Rh4' Qc2+' Ke3' Qd1' Kf2' Qd2+{+1/+2:Qd3} Kf3' Qe1{+3/+5:Qd3+} Rg4' \
Qd1+ Kf4' Qe2{+3/+8:Qc1+} Rg5+' Kd4' Rf5' Qe3+ Kg4° Ke4 Rf7⊙[Rf6] Qg1+' Kh5' Qg3' Rf8[Rb7⊙,Rf6] Ke5' Rf7' \
Ke6{+1/+9:Qd3} Rf8' Qa3{+2/+11:Qe5+} Rf4' Qh3+{+2/+13:Qg3} Kg5' Qg3+ Rg4' Qe5+{+1/+14:Qe3+} Kh4' Qh2+' Kg5° \
Ke5{+1/+15:Qd2+} Kg6' Qh8{+1/+16:Qc2+,Qh3} Rg5+' Ke6' Rg4' Qg8+{+2/+18:Qe5} Kh5' Qh7+' Kg5° Ke5' Rg3' Qg7+' Kh4' \
Qh6+' Kg4° Ke4' Rg2' Qg6+' Kh3' Qh5+' Kg3° Ke3' Rg1' Qg5+{+1/+19:Qe5} Kh2' Qh4+' Kg2° Ke2' Ra1' Qe4+ Kh3' Qh7+' \
Kg3[Kg2,Kg4] Qg7+' Kh3 Qxa1'";
