prelude
import Init.Config
set_option autoImplicit false
set_option linter.all false
universe u v w
/-! # Logic
The axioms, the lemmas that tactics look up by name, and the toolbox of propositions. -/

/-! ### Lemmas the tactics look up by name -/
axiom propext {a b : Prop} : (a ↔ b) → a = b
axiom Quot.sound {α : Sort u} {r : α → α → Prop} {a b : α} : r a b → Quot.mk r a = Quot.mk r b
axiom Classical.choice {α : Sort u} : Nonempty α → α
theorem funext {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : ∀ x, f x = g x) : f = g :=
  let R := fun (f g : (x : α) → β x) => ∀ x, f x = g x
  let run (q : Quot R) (x : α) : β x := Quot.lift (r := R) (fun f => f x) (fun _ _ k => k x) q
  congrArg run (Quot.sound (r := R) (a := f) (b := g) h)
export Decidable (decide)
class Trans.{u₁, u₂, u₃, x, y, z} {α : Sort x} {β : Sort y} {γ : Sort z} (r : α → β → Sort u₁) (s : β → γ → Sort u₂) (t : outParam (α → γ → Sort u₃)) where
  trans {a : α} {b : β} {c : γ} : r a b → s b c → t a c
instance {α : Sort u} : Trans (α := α) Eq Eq Eq := ⟨Eq.trans⟩
instance : Trans Iff Iff Iff := ⟨fun h k => ⟨fun x => k.1 (h.1 x), fun x => h.2 (k.2 x)⟩⟩
theorem Iff.refl (a : Prop) : a ↔ a := ⟨id, id⟩
theorem Iff.rfl {a : Prop} : a ↔ a := ⟨id, id⟩
attribute [refl] Iff.refl
theorem Iff.symm {a b : Prop} (h : a ↔ b) : b ↔ a := ⟨h.2, h.1⟩
theorem Iff.trans {a b c : Prop} (h : a ↔ b) (k : b ↔ c) : a ↔ c := ⟨fun x => k.1 (h.1 x), fun x => h.2 (k.2 x)⟩
theorem iff_of_eq {a b : Prop} (h : a = b) : a ↔ b := h ▸ Iff.rfl
theorem Eq.propIntro {a b : Prop} (h : a → b) (k : b → a) : a = b := propext ⟨h, k⟩
theorem of_eq_true {p : Prop} (h : p = True) : p := h ▸ trivial
theorem eq_true {p : Prop} (h : p) : p = True := propext ⟨fun _ => trivial, fun _ => h⟩
theorem eq_false {p : Prop} (h : ¬p) : p = False := propext ⟨h, False.elim⟩
theorem eq_false' {p : Prop} (h : p → False) : p = False := eq_false h
theorem not_of_eq_false {p : Prop} (h : p = False) : ¬p := fun k => h ▸ k
theorem of_eq_false {p : Prop} (h : p = False) : ¬p := fun k => h ▸ k
@[simp] theorem eq_self {α : Sort u} (a : α) : (a = a) = True := eq_true rfl
@[simp] theorem heq_eq_eq {α : Sort u} (a b : α) : HEq a b = (a = b) := propext ⟨eq_of_heq, heq_of_eq⟩
@[simp] theorem iff_self (p : Prop) : (p ↔ p) = True := eq_true Iff.rfl
theorem implies_congr {p₁ p₂ : Sort u} {q₁ q₂ : Sort v} (h : p₁ = p₂) (k : q₁ = q₂) : (p₁ → q₁) = (p₂ → q₂) := h ▸ k ▸ rfl
theorem implies_congr_left {p₁ p₂ : Sort u} {q : Sort v} (h : p₁ = p₂) : (p₁ → q) = (p₂ → q) := h ▸ rfl
theorem implies_congr_right {p : Sort u} {q₁ q₂ : Sort v} (k : q₁ = q₂) : (p → q₁) = (p → q₂) := k ▸ rfl
theorem implies_dep_congr_ctx {p₁ p₂ q₁ : Prop} (h : p₁ = p₂) {q₂ : p₂ → Prop} (k : ∀ x, q₁ = q₂ x) : (p₁ → q₁) = ((x : p₂) → q₂ x) :=
  propext ⟨fun f x => k x ▸ f (h ▸ x), fun f x => (k (h ▸ x)).symm ▸ f (h ▸ x)⟩
theorem implies_congr_ctx {p₁ p₂ q₁ q₂ : Prop} (h : p₁ = p₂) (k : p₂ → q₁ = q₂) : (p₁ → q₁) = (p₂ → q₂) := implies_dep_congr_ctx h k
theorem forall_congr {α : Sort u} {p q : α → Prop} (h : ∀ a, p a = q a) : (∀ a, p a) = (∀ a, q a) := (funext h : p = q) ▸ rfl
theorem forall_prop_domain_congr {p₁ p₂ : Prop} {q₁ : p₁ → Prop} {q₂ : p₂ → Prop} (h : p₁ = p₂) (k : ∀ a : p₂, q₁ (h ▸ a) = q₂ a) : (∀ a, q₁ a) = (∀ a, q₂ a) := by
  subst h; exact forall_congr k
theorem exists_congr_eq {α : Sort u} {p q : α → Prop} (h : ∀ a, p a = q a) : (∃ a, p a) = (∃ a, q a) := (funext h : p = q) ▸ rfl
@[simp] theorem ne_eq {α : Sort u} (a b : α) : (a ≠ b) = ¬(a = b) := rfl
@[simp] theorem not_true_eq_false : (¬True) = False := eq_false fun h => h trivial
@[simp] theorem not_false_eq_true : (¬False) = True := eq_true id
@[simp] theorem true_and (p : Prop) : (True ∧ p) = p := propext ⟨And.right, fun h => ⟨trivial, h⟩⟩
@[simp] theorem and_true (p : Prop) : (p ∧ True) = p := propext ⟨And.left, fun h => ⟨h, trivial⟩⟩
@[simp] theorem false_and (p : Prop) : (False ∧ p) = False := eq_false And.left
@[simp] theorem and_false (p : Prop) : (p ∧ False) = False := eq_false And.right
@[simp] theorem and_self (p : Prop) : (p ∧ p) = p := propext ⟨And.left, fun h => ⟨h, h⟩⟩
@[simp] theorem true_or (p : Prop) : (True ∨ p) = True := eq_true (.inl trivial)
@[simp] theorem or_true (p : Prop) : (p ∨ True) = True := eq_true (.inr trivial)
@[simp] theorem false_or (p : Prop) : (False ∨ p) = p := propext ⟨fun | .inr h => h, .inr⟩
@[simp] theorem or_false (p : Prop) : (p ∨ False) = p := propext ⟨fun | .inl h => h, .inl⟩
@[simp] theorem or_self (p : Prop) : (p ∨ p) = p := propext ⟨fun | .inl h => h | .inr h => h, .inl⟩
@[simp] theorem true_implies (p : Prop) : (True → p) = p := propext ⟨fun h => h trivial, fun h _ => h⟩
@[simp] theorem false_implies (p : Prop) : (False → p) = True := eq_true False.elim
@[simp] theorem implies_true (α : Sort u) : (α → True) = True := eq_true fun _ => trivial
@[simp] theorem true_iff (p : Prop) : (True ↔ p) = p := propext ⟨fun h => h.1 trivial, fun h => ⟨fun _ => h, fun _ => trivial⟩⟩
@[simp] theorem iff_true (p : Prop) : (p ↔ True) = p := propext ⟨fun h => h.2 trivial, fun h => ⟨fun _ => trivial, fun _ => h⟩⟩
@[simp] theorem exists_eq' {α : Sort u} (a : α) : (∃ x, a = x) = True := eq_true ⟨a, rfl⟩
@[simp] theorem exists_eq {α : Sort u} (a : α) : (∃ x, x = a) = True := eq_true ⟨a, rfl⟩
theorem id_eq {α : Sort u} (a : α) : id a = a := rfl
theorem ne_of_eq_true_of_eq_false {p q : Prop} (h : p = True) (k : q = False) : p ≠ q := fun e => (k ▸ e ▸ h : False = True).symm ▸ trivial
theorem not_false : ¬False := id
theorem Nonempty.elim {α : Sort u} {p : Prop} (h : Nonempty α) (f : α → p) : p := match h with | ⟨a⟩ => f a
theorem Ne.symm {α : Sort u} {a b : α} (h : a ≠ b) : b ≠ a := fun e => h e.symm
theorem mt {a b : Prop} (h : a → b) (k : ¬b) : ¬a := fun x => k (h x)
theorem Exists.elim {α : Sort u} {p : α → Prop} {b : Prop} (h : ∃ x, p x) (k : ∀ x, p x → b) : b := match h with | ⟨w, hw⟩ => k w hw
theorem Or.elim {a b c : Prop} (h : a ∨ b) (l : a → c) (r : b → c) : c := match h with | .inl x => l x | .inr x => r x
theorem Or.symm {a b : Prop} (h : a ∨ b) : b ∨ a := h.elim .inr .inl
theorem And.symm {a b : Prop} (h : a ∧ b) : b ∧ a := ⟨h.2, h.1⟩

class Subsingleton (α : Sort u) : Prop where
  intro ::
  allEq : ∀ a b : α, a = b
theorem Subsingleton.elim {α : Sort u} [h : Subsingleton α] (a b : α) : a = b := h.allEq a b
theorem Subsingleton.helim {α β : Sort u} [h : Subsingleton α] (e : α = β) (a : α) (b : β) : HEq a b := by
  subst e; exact heq_of_eq (h.allEq a b)

/-! ### Decidability -/
instance {p : Prop} : Subsingleton (Decidable p) := ⟨fun
  | .isTrue _, .isTrue _ => rfl
  | .isFalse _, .isFalse _ => rfl
  | .isTrue h, .isFalse k => absurd h k
  | .isFalse k, .isTrue h => absurd h k⟩

instance : Decidable True := .isTrue trivial
instance : Decidable False := .isFalse id
instance {p q : Prop} [a : Decidable p] [b : Decidable q] : Decidable (p ∧ q) := match a, b with
  | .isTrue h, .isTrue k => .isTrue ⟨h, k⟩
  | .isFalse h, _ => .isFalse fun x => h x.1
  | _, .isFalse k => .isFalse fun x => k x.2
instance {p q : Prop} [a : Decidable p] [b : Decidable q] : Decidable (p ∨ q) := match a, b with
  | .isTrue h, _ => .isTrue (.inl h)
  | _, .isTrue k => .isTrue (.inr k)
  | .isFalse h, .isFalse k => .isFalse fun | .inl x => h x | .inr x => k x
instance {p : Prop} [a : Decidable p] : Decidable (¬p) := match a with
  | .isTrue h => .isFalse fun k => k h
  | .isFalse h => .isTrue h
instance instDecidableEqBool : (a b : Bool) → Decidable (a = b)
  | true, true => .isTrue rfl
  | false, false => .isTrue rfl
  | true, false => .isFalse nofun
  | false, true => .isFalse nofun
theorem of_decide_eq_true {p : Prop} [i : Decidable p] (h : decide p = true) : p := match i, h with
  | .isTrue k, _ => k
theorem of_decide_eq_false {p : Prop} [i : Decidable p] (h : decide p = false) : ¬p := match i, h with
  | .isFalse k, _ => k
theorem decide_eq_true {p : Prop} [i : Decidable p] (h : p) : decide p = true := match i with
  | .isTrue _ => rfl
  | .isFalse k => absurd h k
theorem decide_eq_false {p : Prop} [i : Decidable p] (h : ¬p) : decide p = false := match i with
  | .isFalse _ => rfl
  | .isTrue k => absurd k h
@[simp] theorem decide_eq_true_eq {p : Prop} [Decidable p] : (decide p = true) = p := propext ⟨of_decide_eq_true, decide_eq_true⟩
@[simp] theorem decide_eq_false_iff_not {p : Prop} [Decidable p] : (decide p = false) = ¬p := propext ⟨of_decide_eq_false, decide_eq_false⟩
theorem eq_true_of_decide {p : Prop} [Decidable p] (h : decide p = true) : p = True := eq_true (of_decide_eq_true h)
theorem eq_false_of_decide {p : Prop} [Decidable p] (h : decide p = false) : p = False := eq_false (of_decide_eq_false h)
theorem Decidable.em (p : Prop) [i : Decidable p] : p ∨ ¬p := match i with | .isTrue h => .inl h | .isFalse h => .inr h
theorem if_pos {c : Prop} [i : Decidable c] (h : c) {α : Sort u} {t e : α} : ite c t e = t := match i with
  | .isTrue _ => rfl
  | .isFalse k => absurd h k
theorem if_neg {c : Prop} [i : Decidable c] (h : ¬c) {α : Sort u} {t e : α} : ite c t e = e := match i with
  | .isFalse _ => rfl
  | .isTrue k => absurd k h
theorem dif_pos {c : Prop} [i : Decidable c] (h : c) {α : Sort u} {t : c → α} {e : ¬c → α} : dite c t e = t h := match i with
  | .isTrue _ => rfl
  | .isFalse k => absurd h k
theorem dif_neg {c : Prop} [i : Decidable c] (h : ¬c) {α : Sort u} {t : c → α} {e : ¬c → α} : dite c t e = e h := match i with
  | .isFalse _ => rfl
  | .isTrue k => absurd k h
theorem ite_eq_left {c : Prop} [Decidable c] (h : c) {α : Sort u} {t e : α} : ite c t e = t := if_pos h
theorem ite_eq_right {c : Prop} [Decidable c] (h : ¬c) {α : Sort u} {t e : α} : ite c t e = e := if_neg h
theorem dite_eq_left {c : Prop} [Decidable c] (h : c) {α : Sort u} {t : c → α} {e : ¬c → α} : dite c t e = t h := dif_pos h
theorem dite_eq_right {c : Prop} [Decidable c] (h : ¬c) {α : Sort u} {t : c → α} {e : ¬c → α} : dite c t e = e h := dif_neg h
theorem ite_eq_left_of_eq_true {α : Sort u} {c : Prop} {i : Decidable c} (a b : α) (h : c = True) : ite c a b = a := if_pos (of_eq_true h)
theorem ite_eq_right_of_eq_false {α : Sort u} {c : Prop} {i : Decidable c} (a b : α) (h : c = False) : ite c a b = b := if_neg (of_eq_false h)
theorem dite_eq_left_of_eq_true {α : Sort u} {c : Prop} {i : Decidable c} {t : c → α} {e : ¬c → α} (h : c = True) : dite c t e = t (of_eq_true h) := dif_pos (of_eq_true h)
theorem dite_eq_right_of_eq_false {α : Sort u} {c : Prop} {i : Decidable c} {t : c → α} {e : ¬c → α} (h : c = False) : dite c t e = e (of_eq_false h) := dif_neg (of_eq_false h)
theorem ne_of_eq_false_of_eq_true {p q : Prop} (h : p = False) (k : q = True) : p ≠ q := fun e => (h ▸ e ▸ k : False = True).symm ▸ trivial
theorem let_congr {α : Sort u} {β : Sort v} {a a' : α} {b b' : α → β} (h₁ : a = a') (h₂ : ∀ x, b x = b' x) : (let x := a; b x) = (let x := a'; b' x) := h₁ ▸ h₂ a
theorem let_val_congr {α : Sort u} {β : Sort v} {a a' : α} (b : α → β) (h : a = a') : (let x := a; b x) = (let x := a'; b x) := h ▸ rfl
theorem let_body_congr {α : Sort u} {β : α → Sort v} {b b' : (a : α) → β a} (a : α) (h : ∀ x, b x = b' x) : (let x := a; b x) = (let x := a; b' x) := h a
theorem ite_cond_congr {α : Sort u} {c d : Prop} {i : Decidable c} {j : Decidable d} {a b : α} (h : c = d) : ite c a b = ite d a b := by
  subst h; cases i with
  | isTrue h => exact (if_pos h).symm
  | isFalse h => exact (if_neg h).symm
@[simp] theorem ite_true {α : Sort u} (a b : α) : (if True then a else b) = a := rfl
@[simp] theorem ite_false {α : Sort u} (a b : α) : (if False then a else b) = b := rfl
@[simp] theorem ite_self {α : Sort u} {c : Prop} [i : Decidable c] (a : α) : (if c then a else a) = a := match i with | .isTrue _ => rfl | .isFalse _ => rfl
theorem ite_congr {α : Sort u} {b c : Prop} {x y u v : α} {i : Decidable b} [j : Decidable c] (h : b = c) (k : c → x = u) (l : ¬c → y = v) : ite b x y = ite c u v := by
  subst h; cases i with
  | isTrue h => rw [k h]; exact (if_pos h).symm
  | isFalse h => rw [l h]; exact (if_neg h).symm
attribute [congr] ite_congr
theorem Classical.em (p : Prop) : p ∨ ¬p := by
  have ⟨x, hx⟩ : ∃ x : Prop, x = True ∨ p := ⟨True, .inl rfl⟩
  exact
    let U : Prop → Prop := fun x => x = True ∨ p
    let V : Prop → Prop := fun x => x = False ∨ p
    have hU : Nonempty (Subtype U) := ⟨True, .inl rfl⟩
    have hV : Nonempty (Subtype V) := ⟨False, .inl rfl⟩
    have key : p → (choice hU).val = (choice hV).val := fun h =>
      have e : U = V := funext fun _ => propext ⟨fun _ => .inr h, fun _ => .inr h⟩
      have gen (W : Prop → Prop) (w : Nonempty (Subtype W)) (e : U = W) : (choice hU).val = (choice w).val := by subst e; rfl
      gen V hV e
    match (choice hU).property, (choice hV).property with
    | .inr h, _ => .inl h
    | _, .inr h => .inl h
    | .inl a, .inl b => .inr fun h => cast ((a.symm.trans (key h)).trans b) trivial
theorem Lean.injEq_helper {p q r : Prop} (h : p → q → r) : p ∧ q → r := fun x => h x.1 x.2
theorem Classical.byContradiction {p : Prop} (h : ¬p → False) : p := (em p).elim id fun k => (h k).elim
@[instance_reducible] noncomputable def Classical.propDecidable (p : Prop) : Decidable p :=
  choice ((em p).elim (fun h => ⟨.isTrue h⟩) (fun h => ⟨.isFalse h⟩))
namespace Classical
attribute [scoped instance 10] propDecidable
end Classical

theorem dite_cond_congr {α : Sort u} {c d : Prop} {i : Decidable c} {j : Decidable d} {a : c → α} {b : ¬c → α} {a' : d → α} {b' : ¬d → α} (h : c = d) (ha : ∀ x : d, a (h ▸ x) = a' x) (hb : ∀ x : ¬d, b (h ▸ x) = b' x) : dite c a b = dite d a' b' := by
  subst h; cases i with
  | isTrue h => exact (ha h).trans (dif_pos h).symm
  | isFalse h => exact (hb h).trans (dif_neg h).symm
theorem dite_congr {α : Sort u} {b c : Prop} {i : Decidable b} [j : Decidable c] {x : b → α} {u : c → α} {y : ¬b → α} {v : ¬c → α} (h₁ : b = c) (h₂ : (h : c) → x (h₁.mpr h) = u h) (h₃ : (h : ¬c) → y (h₁ ▸ h) = v h) : dite b x y = dite c u v := by
  subst h₁; cases i with
  | isTrue h => exact (h₂ h).trans (dif_pos h).symm
  | isFalse h => exact (h₃ h).trans (dif_neg h).symm
attribute [congr] dite_congr
theorem eqRec_heq {α : Sort u} {φ : α → Sort v} {a a' : α} (h : a = a') (p : φ a) : HEq (Eq.recOn (motive := fun x _ => φ x) h p) p := by
  subst h; exact HEq.refl
abbrev HEq.homo_ndrec.{u1, u2} {α : Sort u2} {a : α} {motive : α → Sort u1} (m : motive a) {b : α} (h : HEq a b) : motive b := (eq_of_heq h).ndrec m
theorem cast_heq {α β : Sort u} (h : α = β) (a : α) : HEq (cast h a) a := by subst h; exact HEq.refl
theorem cast_eq {α : Sort u} (h : α = α) (a : α) : cast h a = a := rfl
attribute [simp] cast_eq eqRec_heq cast_heq
theorem type_eq_of_heq {α β : Sort u} {a : α} {b : β} (h : HEq a b) : α = β := h.rec rfl
theorem heq_of_heq_of_eq {α β : Sort u} {a : α} {b b' : β} (h : HEq a b) (k : b = b') : HEq a b' := k ▸ h
theorem heq_of_eq_of_heq {α β : Sort u} {a a' : α} {b : β} (h : a = a') (k : HEq a' b) : HEq a b := h ▸ k
theorem proof_irrel {p : Prop} (h k : p) : h = k := rfl
theorem Eq.substr {α : Sort u} {p : α → Prop} {a b : α} (h : b = a) (k : p a) : p b := h ▸ k
theorem forall_prop_congr_dom {p₁ p₂ : Prop} (h : p₁ = p₂) (q : p₁ → Prop) : (∀ a : p₁, q a) = (∀ a : p₂, q (Eq.substr (p := fun x : Prop => x) h a)) := by
  subst h; rfl
theorem pi_congr {α : Sort u} {β β' : α → Sort v} (h : ∀ a, β a = β' a) : ((a : α) → β a) = ((a : α) → β' a) := (funext h : β = β') ▸ rfl

/-! ### Toolbox: Iff, Not, And, Or, Exists -/
section
variable {a b c d p q r : Prop}
theorem Iff.comm : (a ↔ b) ↔ (b ↔ a) := ⟨Iff.symm, Iff.symm⟩
theorem iff_comm : (a ↔ b) ↔ (b ↔ a) := Iff.comm
theorem Iff.of_eq (h : a = b) : a ↔ b := iff_of_eq h
abbrev Iff.elim {γ : Sort u} (f : (a → b) → (b → a) → γ) (h : a ↔ b) : γ := f h.1 h.2
theorem iff_of_true (ha : a) (hb : b) : a ↔ b := ⟨fun _ => hb, fun _ => ha⟩
theorem iff_of_false (ha : ¬a) (hb : ¬b) : a ↔ b := ⟨fun h => (ha h).elim, fun h => (hb h).elim⟩
theorem iff_true_left (ha : a) : (a ↔ b) ↔ b := ⟨fun h => h.1 ha, fun hb => iff_of_true ha hb⟩
theorem iff_true_intro (h : a) : a ↔ True := iff_of_true h trivial
theorem iff_false_intro (h : ¬a) : a ↔ False := iff_of_false h id
theorem not_iff_false_intro (h : a) : ¬a ↔ False := ⟨fun k => k h, False.elim⟩
theorem iff_iff_eq : (a ↔ b) ↔ a = b := ⟨propext, iff_of_eq⟩
theorem not_not_intro (h : p) : ¬¬p := fun k => k h
theorem not_congr (h : a ↔ b) : ¬a ↔ ¬b := ⟨mt h.2, mt h.1⟩
theorem not_not_not : ¬¬¬a ↔ ¬a := ⟨mt not_not_intro, not_not_intro⟩
abbrev Not.elim {α : Sort u} (h : ¬a) (k : a) : α := absurd k h
theorem Not.intro (h : a → False) : ¬a := h
theorem Not.imp (h : ¬b) (k : a → b) : ¬a := mt k h
theorem imp_not_comm : (a → ¬b) ↔ (b → ¬a) := ⟨fun h hb ha => h ha hb, fun h ha hb => h hb ha⟩
theorem imp_congr (h₁ : a ↔ c) (h₂ : b ↔ d) : (a → b) ↔ (c → d) := ⟨fun h k => h₂.1 (h (h₁.2 k)), fun h k => h₂.2 (h (h₁.1 k))⟩
theorem imp_congr_right (h : a → (b ↔ c)) : (a → b) ↔ (a → c) := ⟨fun f x => (h x).1 (f x), fun f x => (h x).2 (f x)⟩
theorem imp_iff_right (h : a) : (a → b) ↔ b := ⟨fun f => f h, fun hb _ => hb⟩
theorem iff_congr (h₁ : a ↔ c) (h₂ : b ↔ d) : (a ↔ b) ↔ (c ↔ d) := ⟨fun h => h₁.symm.trans (h.trans h₂), fun h => h₁.trans (h.trans h₂.symm)⟩
@[simp] theorem imp_false : (a → False) ↔ ¬a := Iff.rfl
@[simp] theorem imp_self (a : Prop) : (a → a) ↔ True := iff_true_intro id
theorem imp.swap : (a → b → c) ↔ (b → a → c) := ⟨fun f x y => f y x, fun f x y => f y x⟩
@[simp] theorem false_iff (p : Prop) : (False ↔ p) = ¬p := propext ⟨fun h k => h.2 k, fun h => ⟨False.elim, h⟩⟩
@[simp] theorem iff_false (p : Prop) : (p ↔ False) = ¬p := propext ⟨fun h => h.1, fun h => ⟨h, False.elim⟩⟩

abbrev And.elim {α : Sort u} (f : a → b → α) (h : a ∧ b) : α := f h.1 h.2
theorem And.comm : a ∧ b ↔ b ∧ a := ⟨And.symm, And.symm⟩
theorem and_comm : a ∧ b ↔ b ∧ a := And.comm
theorem And.imp (f : a → c) (g : b → d) (h : a ∧ b) : c ∧ d := ⟨f h.1, g h.2⟩
theorem And.imp_left (h : a → b) : a ∧ c → b ∧ c := .imp h id
theorem And.imp_right (h : a → b) : c ∧ a → c ∧ b := .imp id h
theorem and_congr (h₁ : a ↔ c) (h₂ : b ↔ d) : a ∧ b ↔ c ∧ d := ⟨.imp h₁.1 h₂.1, .imp h₁.2 h₂.2⟩
theorem and_congr_right (h : a → (b ↔ c)) : a ∧ b ↔ a ∧ c := ⟨fun k => ⟨k.1, (h k.1).1 k.2⟩, fun k => ⟨k.1, (h k.1).2 k.2⟩⟩
theorem and_congr_left (h : c → (a ↔ b)) : a ∧ c ↔ b ∧ c := ⟨fun k => ⟨(h k.2).1 k.1, k.2⟩, fun k => ⟨(h k.2).2 k.1, k.2⟩⟩
theorem and_congr_left' (h : a ↔ b) : a ∧ c ↔ b ∧ c := and_congr h .rfl
theorem and_congr_right' (h : b ↔ c) : a ∧ b ↔ a ∧ c := and_congr .rfl h
theorem and_assoc : (a ∧ b) ∧ c ↔ a ∧ (b ∧ c) := ⟨fun ⟨⟨x, y⟩, z⟩ => ⟨x, y, z⟩, fun ⟨x, y, z⟩ => ⟨⟨x, y⟩, z⟩⟩
theorem and_left_comm : a ∧ (b ∧ c) ↔ b ∧ (a ∧ c) := ⟨fun ⟨x, y, z⟩ => ⟨y, x, z⟩, fun ⟨x, y, z⟩ => ⟨y, x, z⟩⟩
theorem and_right_comm : (a ∧ b) ∧ c ↔ (a ∧ c) ∧ b := ⟨fun ⟨⟨x, y⟩, z⟩ => ⟨⟨x, z⟩, y⟩, fun ⟨⟨x, y⟩, z⟩ => ⟨⟨x, z⟩, y⟩⟩
theorem and_iff_left (hb : b) : a ∧ b ↔ a := ⟨And.left, fun h => ⟨h, hb⟩⟩
theorem and_iff_right (ha : a) : a ∧ b ↔ b := ⟨And.right, fun h => ⟨ha, h⟩⟩
@[simp] theorem and_imp : (a ∧ b → c) ↔ (a → b → c) := ⟨fun h x y => h ⟨x, y⟩, fun h x => h x.1 x.2⟩
@[simp] theorem not_and : ¬(a ∧ b) ↔ (a → ¬b) := and_imp
theorem not_and' : ¬(a ∧ b) ↔ b → ¬a := ⟨fun h y x => h ⟨x, y⟩, fun h x => h x.2 x.1⟩
theorem not_and_of_not_left (b : Prop) : ¬a → ¬(a ∧ b) := mt And.left
theorem not_and_of_not_right (a : Prop) {b : Prop} : ¬b → ¬(a ∧ b) := mt And.right
@[simp] theorem and_not_self : ¬(a ∧ ¬a) := fun h => h.2 h.1
@[simp] theorem not_and_self : ¬(¬a ∧ a) := fun h => h.1 h.2
theorem and_not_self_iff (a : Prop) : a ∧ ¬a ↔ False := iff_false_intro and_not_self
@[simp] theorem and_self_left : a ∧ (a ∧ b) ↔ a ∧ b := ⟨And.right, fun h => ⟨h.1, h⟩⟩
@[simp] theorem and_self_right : (a ∧ b) ∧ b ↔ a ∧ b := ⟨And.left, fun h => ⟨h, h.2⟩⟩
theorem and_self_iff : a ∧ a ↔ a := ⟨And.left, fun h => ⟨h, h⟩⟩
theorem and_or_left : a ∧ (b ∨ c) ↔ (a ∧ b) ∨ (a ∧ c) := ⟨fun ⟨x, h⟩ => h.elim (fun y => .inl ⟨x, y⟩) (fun z => .inr ⟨x, z⟩), fun h => h.elim (.imp_right .inl) (.imp_right .inr)⟩
theorem or_and_right : (a ∨ b) ∧ c ↔ (a ∧ c) ∨ (b ∧ c) := ⟨fun ⟨h, z⟩ => h.elim (fun x => .inl ⟨x, z⟩) (fun y => .inr ⟨y, z⟩), fun h => h.elim (.imp_left .inl) (.imp_left .inr)⟩

theorem Or.imp (f : a → c) (g : b → d) (h : a ∨ b) : c ∨ d := h.elim (fun x => .inl (f x)) (fun y => .inr (g y))
theorem Or.imp_left (f : a → b) : a ∨ c → b ∨ c := .imp f id
theorem Or.imp_right (f : b → c) : a ∨ b → a ∨ c := .imp id f
theorem Or.comm : a ∨ b ↔ b ∨ a := ⟨Or.symm, Or.symm⟩
theorem or_comm : a ∨ b ↔ b ∨ a := Or.comm
theorem Or.resolve_left (h : a ∨ b) (k : ¬a) : b := h.elim (fun x => (k x).elim) id
theorem Or.resolve_right (h : a ∨ b) (k : ¬b) : a := h.elim id (fun x => (k x).elim)
theorem Or.neg_resolve_left (h : ¬a ∨ b) (ha : a) : b := h.elim (fun k => (k ha).elim) id
theorem Or.neg_resolve_right (h : a ∨ ¬b) (hb : b) : a := h.elim id (fun k => (k hb).elim)
theorem or_congr (h₁ : a ↔ c) (h₂ : b ↔ d) : (a ∨ b) ↔ (c ∨ d) := ⟨.imp h₁.1 h₂.1, .imp h₁.2 h₂.2⟩
theorem or_congr_left (h : a ↔ b) : a ∨ c ↔ b ∨ c := or_congr h .rfl
theorem or_congr_right (h : b ↔ c) : a ∨ b ↔ a ∨ c := or_congr .rfl h
theorem or_assoc : (a ∨ b) ∨ c ↔ a ∨ (b ∨ c) := ⟨fun h => h.elim (.imp_right .inl) (fun z => .inr (.inr z)), fun h => h.elim (fun x => .inl (.inl x)) (.imp_left .inr)⟩
theorem or_left_comm : a ∨ (b ∨ c) ↔ b ∨ (a ∨ c) := ⟨fun h => h.elim (fun x => .inr (.inl x)) (.imp_right .inr), fun h => h.elim (fun x => .inr (.inl x)) (.imp_right .inr)⟩
theorem or_imp : (a ∨ b → c) ↔ (a → c) ∧ (b → c) := ⟨fun h => ⟨fun x => h (.inl x), fun y => h (.inr y)⟩, fun h k => k.elim h.1 h.2⟩
@[simp] theorem not_or : ¬(p ∨ q) ↔ ¬p ∧ ¬q := or_imp
theorem not_or_intro (ha : ¬a) (hb : ¬b) : ¬(a ∨ b) := fun h => h.elim ha hb
theorem or_and_left : a ∨ (b ∧ c) ↔ (a ∨ b) ∧ (a ∨ c) := ⟨fun h => h.elim (fun x => ⟨.inl x, .inl x⟩) (.imp .inr .inr), fun ⟨h, k⟩ => h.elim .inl fun y => k.elim .inl fun z => .inr ⟨y, z⟩⟩
theorem or_iff_right_of_imp (h : a → b) : (a ∨ b) ↔ b := ⟨fun k => k.elim h id, .inr⟩
theorem or_iff_left_of_imp (h : b → a) : (a ∨ b) ↔ a := ⟨fun k => k.elim id h, .inl⟩
theorem or_iff_left (hb : ¬b) : a ∨ b ↔ a := or_iff_left_of_imp fun h => (hb h).elim
theorem or_iff_right (ha : ¬a) : a ∨ b ↔ b := or_iff_right_of_imp fun h => (ha h).elim
theorem or_self_iff : a ∨ a ↔ a := ⟨fun h => h.elim id id, .inl⟩
theorem not_and_of_not_or_not (h : ¬a ∨ ¬b) : ¬(a ∧ b) := fun k => h.elim (fun x => x k.1) (fun y => y k.2)
end

section
variable {α : Sort u} {p q : α → Prop} {b : Prop}
theorem forall_imp (h : ∀ a, p a → q a) : (∀ a, p a) → ∀ a, q a := fun k a => h a (k a)
theorem forall_congr' (h : ∀ a, p a ↔ q a) : (∀ a, p a) ↔ ∀ a, q a := ⟨fun k a => (h a).1 (k a), fun k a => (h a).2 (k a)⟩
theorem Exists.imp (h : ∀ a, p a → q a) : (∃ a, p a) → ∃ a, q a := fun ⟨a, k⟩ => ⟨a, h a k⟩
theorem exists_congr (h : ∀ a, p a ↔ q a) : (∃ a, p a) ↔ ∃ a, q a := ⟨.imp fun a => (h a).1, .imp fun a => (h a).2⟩
@[simp] theorem exists_imp : ((∃ x, p x) → b) ↔ ∀ x, p x → b := ⟨fun h x k => h ⟨x, k⟩, fun h ⟨x, k⟩ => h x k⟩
@[simp] theorem not_exists : (¬∃ x, p x) ↔ ∀ x, ¬p x := exists_imp
theorem not_exists_of_forall_not (h : ∀ a, ¬p a) : ¬∃ a, p a := fun ⟨a, k⟩ => h a k
theorem not_forall_of_exists_not (h : ∃ x, ¬p x) : ¬∀ x, p x := fun k => h.elim fun x n => n (k x)
theorem forall_not_of_not_exists (h : ¬∃ x, p x) : ∀ x, ¬p x := not_exists.1 h
theorem forall_and : (∀ x, p x ∧ q x) ↔ (∀ x, p x) ∧ (∀ x, q x) := ⟨fun h => ⟨fun x => (h x).1, fun x => (h x).2⟩, fun h x => ⟨h.1 x, h.2 x⟩⟩
theorem exists_or : (∃ x, p x ∨ q x) ↔ (∃ x, p x) ∨ ∃ x, q x :=
  ⟨fun ⟨x, h⟩ => h.elim (fun k => .inl ⟨x, k⟩) (fun k => .inr ⟨x, k⟩), fun h => h.elim (.imp fun _ => .inl) (.imp fun _ => .inr)⟩
@[simp] theorem exists_false : ¬(∃ _a : α, False) := fun ⟨_, h⟩ => h
@[simp] theorem exists_and_left : (∃ x, b ∧ p x) ↔ b ∧ (∃ x, p x) := ⟨fun ⟨x, h, k⟩ => ⟨h, x, k⟩, fun ⟨h, x, k⟩ => ⟨x, h, k⟩⟩
@[simp] theorem exists_and_right : (∃ x, p x ∧ b) ↔ (∃ x, p x) ∧ b := ⟨fun ⟨x, k, h⟩ => ⟨⟨x, k⟩, h⟩, fun ⟨⟨x, k⟩, h⟩ => ⟨x, k, h⟩⟩
@[simp] theorem forall_eq {p : α → Prop} {a' : α} : (∀ a, a = a' → p a) ↔ p a' := ⟨fun h => h a' rfl, fun h _ e => e ▸ h⟩
@[simp] theorem forall_eq' {p : α → Prop} {a' : α} : (∀ a, a' = a → p a) ↔ p a' := ⟨fun h => h a' rfl, fun h _ e => e ▸ h⟩
@[simp] theorem forall_eq_or_imp {p q : α → Prop} {a' : α} : (∀ a, a = a' ∨ q a → p a) ↔ p a' ∧ ∀ a, q a → p a := ⟨fun h => ⟨h a' (.inl rfl), fun a k => h a (.inr k)⟩, fun h a k => k.elim (fun e => e ▸ h.1) (h.2 a)⟩
@[simp] theorem exists_eq_or_imp {p q : α → Prop} {a' : α} : (∃ a, (a = a' ∨ q a) ∧ p a) ↔ p a' ∨ ∃ a, q a ∧ p a := ⟨fun ⟨a, h, k⟩ => h.elim (fun e => .inl (e ▸ k)) (fun l => .inr ⟨a, l, k⟩), fun h => h.elim (fun k => ⟨a', .inl rfl, k⟩) fun ⟨a, l, k⟩ => ⟨a, .inr l, k⟩⟩
@[simp] theorem exists_eq_left {p : α → Prop} {a' : α} : (∃ a, a = a' ∧ p a) ↔ p a' := ⟨fun ⟨_, e, h⟩ => e ▸ h, fun h => ⟨_, rfl, h⟩⟩
@[simp] theorem exists_eq_right {p : α → Prop} {a' : α} : (∃ a, p a ∧ a = a') ↔ p a' := ⟨fun ⟨_, h, e⟩ => e ▸ h, fun h => ⟨_, h, rfl⟩⟩
@[simp] theorem exists_eq_left' {p : α → Prop} {a' : α} : (∃ a, a' = a ∧ p a) ↔ p a' := ⟨fun ⟨_, e, h⟩ => e ▸ h, fun h => ⟨_, rfl, h⟩⟩
@[simp] theorem exists_eq_right' {p : α → Prop} {a' : α} : (∃ a, p a ∧ a' = a) ↔ p a' := ⟨fun ⟨_, h, e⟩ => e ▸ h, fun h => ⟨_, h, rfl⟩⟩
theorem exists_prop {a b : Prop} : (∃ _h : a, b) ↔ a ∧ b := ⟨fun ⟨h, k⟩ => ⟨h, k⟩, fun ⟨h, k⟩ => ⟨h, k⟩⟩
attribute [simp] exists_prop
theorem exists_prop_of_true {p : Prop} {q : p → Prop} (h : p) : (∃ h', q h') ↔ q h := ⟨fun ⟨_, k⟩ => k, fun k => ⟨h, k⟩⟩
@[simp] theorem exists_const {b : Prop} (α : Sort u) [i : Nonempty α] : (∃ _ : α, b) ↔ b := ⟨fun ⟨_, h⟩ => h, fun h => i.elim fun x => ⟨x, h⟩⟩
theorem forall_const {b : Prop} (α : Sort u) [i : Nonempty α] : (α → b) ↔ b := ⟨fun h => i.elim h, fun h _ => h⟩
theorem forall_exists_index {p : α → Prop} {q : (∃ x, p x) → Prop} : (∀ h, q h) ↔ ∀ x (h : p x), q ⟨x, h⟩ := ⟨fun h x k => h ⟨x, k⟩, fun h ⟨x, k⟩ => h x k⟩
attribute [simp] forall_exists_index
end
instance {α : Sort u} [h : Inhabited α] : Nonempty α := ⟨h.default⟩
theorem nonempty_of_exists {α : Sort u} {p : α → Prop} : (∃ x, p x) → Nonempty α := fun ⟨w, _⟩ => ⟨w⟩

/-! ### Ne -/
section
variable {α : Sort u} {a b c : α}
theorem Ne.intro (h : a = b → False) : a ≠ b := h
theorem Ne.elim (h : a ≠ b) : a = b → False := h
theorem Ne.irrefl (h : a ≠ a) : False := h rfl
theorem ne_of_eq_of_ne (h : a = b) (k : b ≠ c) : a ≠ c := h ▸ k
theorem ne_of_ne_of_eq (h : a ≠ b) (k : b = c) : a ≠ c := k ▸ h
theorem ne_comm {a b : α} : a ≠ b ↔ b ≠ a := ⟨Ne.symm, Ne.symm⟩
theorem eq_comm {a b : α} : a = b ↔ b = a := ⟨Eq.symm, Eq.symm⟩
theorem ne_of_apply_ne {α : Sort u} {β : Sort v} (f : α → β) {x y : α} : f x ≠ f y → x ≠ y := mt (congrArg f)
theorem false_of_ne (h : a ≠ a) : False := h rfl
theorem ne_false_of_self {p : Prop} (h : p) : p ≠ False := fun e => e ▸ h
theorem ne_true_of_not {p : Prop} (h : ¬p) : p ≠ True := fun e => h (e.symm ▸ trivial)
theorem true_ne_false : ¬(True = False) := fun h => h ▸ trivial
theorem Eq.comm {a b : α} : a = b ↔ b = a := eq_comm
end
instance {α : Sort u} : Trans (α := α) (β := α) (γ := α) Ne Eq Ne := ⟨ne_of_ne_of_eq⟩
instance {α : Sort u} : Trans (α := α) (β := α) (γ := α) Eq Ne Ne := ⟨ne_of_eq_of_ne⟩
instance (priority := 500) {α : Sort u} {γ : Sort v} (r : α → γ → Sort w) : Trans Eq r r := ⟨fun h k => h ▸ k⟩
instance (priority := 500) {α : Sort u} {β : Sort v} (r : α → β → Sort w) : Trans r Eq r := ⟨fun h k => k ▸ h⟩

/-! ### Decidable and classical reasoning -/
instance instDecidableIff {p q : Prop} [a : Decidable p] [b : Decidable q] : Decidable (p ↔ q) := match a, b with
  | .isTrue h, .isTrue k => .isTrue (iff_of_true h k)
  | .isFalse h, .isFalse k => .isTrue (iff_of_false h k)
  | .isTrue h, .isFalse k => .isFalse fun e => k (e.1 h)
  | .isFalse h, .isTrue k => .isFalse fun e => h (e.2 k)
instance instDecidableForall {p q : Prop} [a : Decidable p] [b : Decidable q] : Decidable (p → q) := match a, b with
  | .isFalse h, _ => .isTrue fun k => (h k).elim
  | _, .isTrue k => .isTrue fun _ => k
  | .isTrue h, .isFalse k => .isFalse fun f => k (f h)
instance decPropToBool (p : Prop) [Decidable p] : CoeDep Prop p Bool := ⟨decide p⟩
instance instDecidableIte {c t e : Prop} [i : Decidable c] [dt : Decidable t] [de : Decidable e] : Decidable (if c then t else e) := match i with
  | .isTrue _ => dt
  | .isFalse _ => de
@[inline] def decidable_of_decidable_of_iff {p q : Prop} [i : Decidable p] (h : p ↔ q) : Decidable q := match i with
  | .isTrue k => .isTrue (h.1 k)
  | .isFalse k => .isFalse fun x => k (h.2 x)
@[inline] def decidable_of_iff {b : Prop} (a : Prop) (h : a ↔ b) [Decidable a] : Decidable b := decidable_of_decidable_of_iff h
@[inline] def decidable_of_decidable_of_eq {p q : Prop} [i : Decidable p] (h : p = q) : Decidable q := decidable_of_decidable_of_iff (iff_of_eq h)
namespace Decidable
theorem byContradiction {p : Prop} [i : Decidable p] (h : ¬p → False) : p := match i with
  | .isTrue k => k
  | .isFalse k => (h k).elim
theorem of_not_not {p : Prop} [Decidable p] (h : ¬¬p) : p := byContradiction h
theorem not_not {p : Prop} [Decidable p] : ¬¬p ↔ p := ⟨of_not_not, not_not_intro⟩
theorem not_and_iff_or_not_not {p q : Prop} [i : Decidable p] [Decidable q] : ¬(p ∧ q) ↔ ¬p ∨ ¬q :=
  ⟨fun h => match i with | .isTrue k => .inr fun x => h ⟨k, x⟩ | .isFalse k => .inl k, not_and_of_not_or_not⟩
theorem not_imp_not {a b : Prop} [Decidable a] : (¬a → ¬b) ↔ (b → a) := ⟨fun h k => byContradiction fun n => h n k, mt⟩
theorem not_imp {a b : Prop} [Decidable a] : ¬(a → b) ↔ a ∧ ¬b := ⟨fun h => ⟨byContradiction fun n => h fun x => (n x).elim, fun x => h fun _ => x⟩, fun h k => h.2 (k h.1)⟩
theorem or_iff_not_imp_left {a b : Prop} [i : Decidable a] : a ∨ b ↔ (¬a → b) := ⟨fun h k => h.resolve_left k, fun h => match i with | .isTrue k => .inl k | .isFalse k => .inr (h k)⟩
theorem byCases {q : Prop} (p : Prop) [i : Decidable p] (h₁ : p → q) (h₂ : ¬p → q) : q := match i with
  | .isTrue h => h₁ h
  | .isFalse h => h₂ h
end Decidable
namespace Classical
theorem byCases {p q : Prop} (hpq : p → q) (hnpq : ¬p → q) : q := (em p).elim hpq hnpq
theorem of_not_not {p : Prop} (h : ¬¬p) : p := byContradiction h
@[simp] theorem not_not {p : Prop} : ¬¬p ↔ p := ⟨of_not_not, not_not_intro⟩
@[simp] theorem not_forall {α : Sort u} {p : α → Prop} : (¬∀ x, p x) ↔ ∃ x, ¬p x :=
  ⟨fun h => byContradiction fun k => h fun x => byContradiction fun n => k ⟨x, n⟩, not_forall_of_exists_not⟩
theorem not_exists_not {α : Sort u} {p : α → Prop} : (¬∃ x, ¬p x) ↔ ∀ x, p x := ⟨fun h x => byContradiction fun n => h ⟨x, n⟩, fun h ⟨x, n⟩ => n (h x)⟩
theorem forall_or_exists_not {α : Sort u} (p : α → Prop) : (∀ a, p a) ∨ ∃ a, ¬p a := (em _).imp id not_forall.1
theorem not_and_iff_not_or_not {p q : Prop} : ¬(p ∧ q) ↔ ¬p ∨ ¬q := ⟨fun h => (em p).elim (fun x => .inr fun y => h ⟨x, y⟩) .inl, not_and_of_not_or_not⟩
@[simp] theorem not_imp {a b : Prop} : ¬(a → b) ↔ a ∧ ¬b := ⟨fun h => ⟨byContradiction fun n => h fun x => (n x).elim, fun x => h fun _ => x⟩, fun h k => h.2 (k h.1)⟩
theorem not_imp_not {a b : Prop} : (¬a → ¬b) ↔ (b → a) := ⟨fun h k => byContradiction fun n => h n k, mt⟩
theorem or_iff_not_imp_left {a b : Prop} : a ∨ b ↔ (¬a → b) := ⟨fun h k => h.resolve_left k, fun h => (em a).imp id h⟩
theorem or_iff_not_imp_right {a b : Prop} : a ∨ b ↔ (¬b → a) := ⟨fun h k => h.resolve_right k, fun h => (em b).elim .inr fun k => .inl (h k)⟩
theorem imp_iff_not_or {a b : Prop} : (a → b) ↔ (¬a ∨ b) := ⟨fun h => (em a).elim (fun x => .inr (h x)) .inl, fun h x => h.resolve_left (not_not_intro x)⟩
theorem not_iff {a b : Prop} : ¬(a ↔ b) ↔ (¬a ↔ b) :=
  ⟨fun h => ⟨fun n => byContradiction fun k => h (iff_of_false n k), fun y x => h (iff_of_true x y)⟩, fun h e => (em a).elim (fun x => h.2 (e.1 x) x) fun n => n (e.2 (h.1 n))⟩
noncomputable def choose {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : α := (choice (h.elim fun w k => (⟨⟨w, k⟩⟩ : Nonempty (Subtype p)))).val
theorem choose_spec {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : p (choose h) := (choice (h.elim fun w k => (⟨⟨w, k⟩⟩ : Nonempty (Subtype p)))).property
theorem axiomOfChoice {α : Sort u} {β : α → Sort v} {r : (x : α) → β x → Prop} (h : ∀ x, ∃ y, r x y) : ∃ f : (x : α) → β x, ∀ x, r x (f x) := ⟨_, fun x => choose_spec (h x)⟩
end Classical
export Classical (not_imp)
noncomputable def Exists.choose {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : α := Classical.choose h
theorem Exists.choose_spec {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : p h.choose := Classical.choose_spec h

/-! ### If-then-else -/
section
variable {α : Sort u} {c : Prop} [i : Decidable c]
@[simp] theorem if_true {α : Sort u} {h : Decidable True} (t e : α) : (@ite α True h t e) = t := if_pos trivial
@[simp] theorem if_false {α : Sort u} {h : Decidable False} (t e : α) : (@ite α False h t e) = e := if_neg id
@[simp] theorem dite_true {α : Sort u} {t : True → α} {e : ¬True → α} : dite True t e = t trivial := rfl
@[simp] theorem dite_false {α : Sort u} {t : False → α} {e : ¬False → α} : dite False t e = e not_false := rfl
@[simp] theorem dite_eq_ite {t e : α} : (dite c (fun _ => t) (fun _ => e)) = ite c t e := rfl
@[simp] theorem ite_eq_left_iff {a b : α} : (if c then a else b) = a ↔ (¬c → b = a) := match i with
  | .isTrue h => ⟨fun _ k => (k h).elim, fun _ => rfl⟩
  | .isFalse h => ⟨fun e _ => e, fun f => f h⟩
@[simp] theorem ite_eq_right_iff {a b : α} : (if c then a else b) = b ↔ (c → a = b) := match i with
  | .isTrue h => ⟨fun e _ => e, fun f => f h⟩
  | .isFalse h => ⟨fun _ k => (h k).elim, fun _ => rfl⟩
theorem apply_ite {α : Sort u} {β : Sort v} (f : α → β) (P : Prop) [j : Decidable P] (x y : α) : f (ite P x y) = ite P (f x) (f y) := match j with
  | .isTrue _ => rfl
  | .isFalse _ => rfl
@[simp] theorem ite_not (p : Prop) [j : Decidable p] (x y : α) : ite (¬p) x y = ite p y x := match j with
  | .isTrue _ => rfl
  | .isFalse _ => rfl
@[simp] theorem if_true_left {p q : Prop} [Decidable p] : (if p then True else q) ↔ (¬p → q) := by
  by_cases h : p
  · simp only [if_pos h, h]; exact ⟨fun _ k => (k trivial).elim, fun _ => trivial⟩
  · simp only [if_neg h, h]; exact ⟨fun x _ => x, fun f => f id⟩
@[simp] theorem if_false_left {p q : Prop} [Decidable p] : (if p then False else q) ↔ ¬p ∧ q := by
  by_cases h : p
  · rw [if_pos h]; exact ⟨False.elim, fun k => k.1 h⟩
  · rw [if_neg h]; exact ⟨fun x => ⟨h, x⟩, And.right⟩
@[simp] theorem if_true_right {p q : Prop} [Decidable p] : (if p then q else True) ↔ (p → q) := by
  by_cases h : p
  · rw [if_pos h]; exact ⟨fun x _ => x, fun f => f h⟩
  · rw [if_neg h]; exact ⟨fun _ x => (h x).elim, fun _ => trivial⟩
@[simp] theorem if_false_right {p q : Prop} [Decidable p] : (if p then q else False) ↔ p ∧ q := by
  by_cases h : p
  · rw [if_pos h]; exact ⟨fun x => ⟨h, x⟩, And.right⟩
  · rw [if_neg h]; exact ⟨False.elim, fun k => h k.1⟩
end

/-! ### Functions -/
namespace Function
@[simp] theorem comp_apply {α : Sort u} {β : Sort v} {δ : Sort w} {f : β → δ} {g : α → β} {x : α} : comp f g x = f (g x) := rfl
@[simp] theorem const_apply {α : Sort u} {β : Sort v} {y : β} {x : α} : const α y x = y := rfl
def Injective {α : Sort u} {β : Sort v} (f : α → β) : Prop := ∀ ⦃a₁ a₂ : α⦄, f a₁ = f a₂ → a₁ = a₂
def Surjective {α : Sort u} {β : Sort v} (f : α → β) : Prop := ∀ b, ∃ a, f a = b
def LeftInverse {α : Sort u} {β : Sort v} (g : β → α) (f : α → β) : Prop := ∀ x, g (f x) = x
def RightInverse {α : Sort u} {β : Sort v} (g : β → α) (f : α → β) : Prop := LeftInverse f g
end Function
theorem congrFun₂ {α : Sort u} {β : α → Sort v} {γ : (a : α) → β a → Sort w} {f g : (a : α) → (b : β a) → γ a b} (h : f = g) (a : α) (b : β a) : f a b = g a b := h ▸ rfl
theorem funext_iff {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} : f = g ↔ ∀ x, f x = g x := ⟨fun h _ => h ▸ rfl, funext⟩
attribute [ext] funext propext
@[ext] theorem PUnit.ext (x y : PUnit) : x = y := rfl
theorem PUnit.subsingleton (a b : PUnit) : a = b := rfl
instance (p : Prop) : Subsingleton p := ⟨fun _ _ => rfl⟩
instance : Subsingleton PUnit := ⟨fun _ _ => rfl⟩
instance : Subsingleton Empty := ⟨fun a => nomatch a⟩
@[macro_inline] def Empty.elim {C : Sort u} : Empty → C := Empty.rec
gen_injective_theorems% Subtype
