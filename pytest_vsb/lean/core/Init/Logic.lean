prelude
import Init.Bindings
set_option autoImplicit false
set_option linter.all false
universe u v w

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
theorem Ne.symm {α : Sort u} {a b : α} (h : a ≠ b) : b ≠ a := fun e => h e.symm
theorem mt {a b : Prop} (h : a → b) (k : ¬b) : ¬a := fun x => k (h x)
theorem exists_imp_elim {α : Sort u} {p : α → Prop} {b : Prop} (h : ∃ x, p x) (k : ∀ x, p x → b) : b := match h with | ⟨w, hw⟩ => k w hw
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
