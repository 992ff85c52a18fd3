syntax "mylist(" term,* ")" : term
macro_rules
  | `(mylist()) => `([])
  | `(mylist($x)) => `([$x])
  | `(mylist($x, $xs,*)) => `($x :: mylist($xs,*))
theorem a : mylist(1, 2, 3) = [1, 2, 3] := rfl

macro "all6 " a:term:max b:term:max c:term:max d:term:max e:term:max f:term:max : term =>
  `(And $a (And $b (And $c (And $d (And $e $f)))))
theorem b : all6 True True True True True True := by simp

notation "⟪" a ", " b ", " c ", " d ", " e "⟫" => (a + b + c + d + e)
theorem c : ⟪1, 2, 3, 4, 5⟫ = 15 := rfl

macro "each" ts:tactic,+ : tactic => `(tactic| ($[($ts:tactic)];*))
theorem d (p : Prop) (h : p) : p ∧ True := by each constructor, exact h, trivial

macro "intro_all" xs:ident* : tactic => `(tactic| intro $xs*)
theorem e : ∀ a b c : Nat, a + b + c = a + b + c := by intro_all x y z; rfl

macro "seq" t:tacticSeq : tactic => `(tactic| · $t)
theorem f : 1 = 1 := by seq rfl

syntax "ifz " term " then " term " else " term : term
macro_rules
  | `(ifz $c then $t else $e) => `(match $c:term with | 0 => $t | _ => $e)
theorem g : (ifz 0 then 1 else 2) = 1 := rfl

inductive Com where
  | skip
  | add (n : Nat)
  | seq (a b : Com)
declare_syntax_cat imp
syntax "skip" : imp
syntax "add " num : imp
syntax imp "; " imp : imp
syntax "[imp|" imp "]" : term
macro_rules
  | `([imp| skip]) => `(Com.skip)
  | `([imp| add $n:num]) => `(Com.add $n)
  | `([imp| $a:imp; $b:imp]) => `(Com.seq [imp| $a] [imp| $b])
theorem h : [imp| skip; add 3] = .seq .skip (.add 3) := rfl

namespace Local
scoped notation "‖" x "‖" => Int.natAbs x
theorem size : ‖(-3 : Int)‖ = 3 := rfl
end Local
open Local in
theorem size' : ‖(3 : Int)‖ = 3 := rfl
