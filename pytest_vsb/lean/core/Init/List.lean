prelude
import Init.Basic
set_option autoImplicit false
set_option linter.all false
universe u v w
/-! # Lists -/
namespace List
variable {α : Type u} {β : Type v} {γ : Type w}

/-! ### Functions -/
instance : Inhabited (List α) := ⟨[]⟩
protected def hasDecEq [DecidableEq α] : (a b : List α) → Decidable (a = b)
  | [], [] => .isTrue rfl
  | [], _ :: _ => .isFalse nofun
  | _ :: _, [] => .isFalse nofun
  | a :: as, b :: bs => match (inferInstance : Decidable (a = b)), List.hasDecEq as bs with
    | .isTrue h, .isTrue k => .isTrue (by rw [h, k])
    | .isFalse h, _ => .isFalse fun e => h (List.cons.inj e).1
    | _, .isFalse k => .isFalse fun e => k (List.cons.inj e).2
instance instDecidableEqList [DecidableEq α] : DecidableEq (List α) := List.hasDecEq
instance instMembership : Membership α (List α) := ⟨fun l a => Mem a l⟩
def length : List α → Nat
  | [] => 0
  | _ :: as => as.length + 1
@[specialize] def map (f : α → β) : List α → List β
  | [] => []
  | a :: as => f a :: map f as
@[specialize] def filter (p : α → Bool) : List α → List α
  | [] => []
  | a :: as => match p a with
    | true => a :: filter p as
    | false => filter p as
@[specialize] def filterMap (f : α → Option β) : List α → List β
  | [] => []
  | a :: as => match f a with
    | none => filterMap f as
    | some b => b :: filterMap f as
@[specialize] def foldl {α : Type u} {β : Type v} (f : α → β → α) : (init : α) → List β → α
  | a, [] => a
  | a, b :: l => foldl f (f a b) l
@[specialize] def foldr (f : α → β → β) (init : β) : List α → β
  | [] => init
  | a :: as => f a (foldr f init as)
def reverseAux : List α → List α → List α
  | [], r => r
  | a :: l, r => reverseAux l (a :: r)
def reverse (as : List α) : List α := reverseAux as []
def flatten : List (List α) → List α
  | [] => []
  | l :: L => l ++ flatten L
@[inline] def flatMap {α : Type u} {β : Type v} (b : α → List β) (as : List α) : List β := flatten (map b as)
def isEmpty : List α → Bool
  | [] => true
  | _ :: _ => false
@[specialize] def any : (l : List α) → (p : α → Bool) → Bool
  | [], _ => false
  | h :: t, p => p h || any t p
@[specialize] def all : List α → (α → Bool) → Bool
  | [], _ => true
  | h :: t, p => p h && all t p
def elem [BEq α] (a : α) : (l : List α) → Bool
  | [] => false
  | b :: bs => match a == b with
    | true => true
    | false => elem a bs
abbrev contains [BEq α] (as : List α) (a : α) : Bool := elem a as
@[specialize] def find? (p : α → Bool) : List α → Option α
  | [] => none
  | a :: as => match p a with
    | true => some a
    | false => find? p as
def lookup [BEq α] : α → List (α × β) → Option β
  | _, [] => none
  | a, (k, b) :: as => match a == k with
    | true => some b
    | false => lookup a as
def take : (n : Nat) → (xs : List α) → List α
  | 0, _ => []
  | _ + 1, [] => []
  | n + 1, a :: as => a :: take n as
def drop : (n : Nat) → (xs : List α) → List α
  | 0, as => as
  | _ + 1, [] => []
  | n + 1, _ :: as => drop n as
@[specialize] def takeWhile (p : α → Bool) : (xs : List α) → List α
  | [] => []
  | a :: as => match p a with
    | true => a :: takeWhile p as
    | false => []
@[specialize] def dropWhile (p : α → Bool) : List α → List α
  | [] => []
  | a :: as => match p a with
    | true => dropWhile p as
    | false => a :: as
def replicate : (n : Nat) → (a : α) → List α
  | 0, _ => []
  | n + 1, a => a :: replicate n a
@[specialize] def zipWith (f : α → β → γ) : (xs : List α) → (ys : List β) → List γ
  | x :: xs, y :: ys => f x y :: zipWith f xs ys
  | _, _ => []
def zip {α : Type u} {β : Type v} : List α → List β → List (α × β) := zipWith Prod.mk
def unzip : List (α × β) → List α × List β
  | [] => ([], [])
  | (a, b) :: t => match unzip t with | (as, bs) => (a :: as, b :: bs)
def head? : List α → Option α
  | [] => none
  | a :: _ => some a
def headD : (as : List α) → (fallback : α) → α
  | [], fallback => fallback
  | a :: _, _ => a
def head : (as : List α) → as ≠ [] → α
  | a :: _, _ => a
def tail : List α → List α
  | [] => []
  | _ :: as => as
def tail? : List α → Option (List α)
  | [] => none
  | _ :: as => some as
def getLast : (as : List α) → as ≠ [] → α
  | [], h => absurd rfl h
  | [a], _ => a
  | _ :: b :: as, _ => getLast (b :: as) nofun
def getLast? : List α → Option α
  | [] => none
  | a :: as => some (getLast (a :: as) nofun)
def dropLast : List α → List α
  | [] => []
  | [_] => []
  | a :: b :: as => a :: dropLast (b :: as)
def get : (as : List α) → Fin as.length → α
  | a :: _, ⟨0, _⟩ => a
  | _ :: as, ⟨i + 1, h⟩ => get as ⟨i, Nat.le_of_succ_le_succ h⟩
def getD (as : List α) (i : Nat) (fallback : α) : α := match as, i with
  | [], _ => fallback
  | a :: _, 0 => a
  | _ :: as, i + 1 => getD as i fallback
def get!Internal [Inhabited α] : (as : List α) → (i : Nat) → α
  | [], _ => default
  | a :: _, 0 => a
  | _ :: as, i + 1 => get!Internal as i
def get?Internal : (as : List α) → (i : Nat) → Option α
  | [], _ => none
  | a :: _, 0 => some a
  | _ :: as, i + 1 => get?Internal as i
instance instGetElemNatLtLength : GetElem (List α) Nat α fun as i => i < as.length := ⟨fun as i h => as.get ⟨i, h⟩⟩
instance instGetElem?NatLtLength : GetElem? (List α) Nat α fun as i => i < as.length where
  getElem? as i := as.get?Internal i
def set : (l : List α) → (n : Nat) → (a : α) → List α
  | _ :: as, 0, b => b :: as
  | a :: as, n + 1, b => a :: set as n b
  | [], _, _ => []
def erase {α : Type u} [BEq α] : List α → α → List α
  | [], _ => []
  | a :: as, b => match a == b with
    | true => as
    | false => a :: erase as b
def insert {α : Type u} [BEq α] (a : α) (l : List α) : List α := if l.elem a then l else a :: l
def rangeAux : Nat → List Nat → List Nat
  | 0, ns => ns
  | n + 1, ns => rangeAux n (n :: ns)
def range (n : Nat) : List Nat := rangeAux n []
def sum {α : Type u} [Add α] [Zero α] : List α → α := foldr (· + ·) Zero.zero
def partition (p : α → Bool) (as : List α) : List α × List α := (filter p as, filter (fun a => !p a) as)
inductive Pairwise (R : α → α → Prop) : List α → Prop where
  | nil : Pairwise R []
  | cons {a : α} {l : List α} : (∀ a', a' ∈ l → R a a') → Pairwise R l → Pairwise R (a :: l)
def Nodup (l : List α) : Prop := Pairwise (· ≠ ·) l

/-! ### Append and length -/
@[simp] theorem nil_append (as : List α) : [] ++ as = as := rfl
@[simp] theorem cons_append {a : α} {as bs : List α} : (a :: as) ++ bs = a :: (as ++ bs) := rfl
@[simp] theorem append_eq {as bs : List α} : List.append as bs = as ++ bs := rfl
@[simp] theorem append_nil (as : List α) : as ++ [] = as := by
  induction as with
  | nil => rfl
  | cons a as ih => rw [cons_append, ih]
@[simp] theorem append_assoc (as bs cs : List α) : as ++ bs ++ cs = as ++ (bs ++ cs) := by
  induction as with
  | nil => rfl
  | cons a as ih => rw [cons_append, cons_append, cons_append, ih]
theorem append_cons (as : List α) (b : α) (bs : List α) : as ++ b :: bs = as ++ [b] ++ bs := by rw [append_assoc]; rfl
theorem singleton_append {x : α} {l : List α} : [x] ++ l = x :: l := rfl
attribute [simp] singleton_append
theorem cons_ne_nil (a : α) (l : List α) : a :: l ≠ [] := nofun
attribute [simp] cons_ne_nil
theorem cons_inj {a : α} {l l' : List α} : a :: l = a :: l' ↔ l = l' := ⟨fun h => (List.cons.inj h).2, fun h => h ▸ rfl⟩
theorem cons_inj_right (a : α) {l l' : List α} : a :: l = a :: l' ↔ l = l' := cons_inj
theorem cons_eq_cons {a b : α} {l l' : List α} : a :: l = b :: l' ↔ a = b ∧ l = l' := ⟨List.cons.inj, fun h => by rw [h.1, h.2]⟩
theorem exists_cons_of_ne_nil : {l : List α} → l ≠ [] → ∃ b L, l = b :: L
  | [], h => absurd rfl h
  | b :: L, _ => ⟨b, L, rfl⟩
@[simp] theorem length_nil : length ([] : List α) = 0 := rfl
@[simp] theorem length_cons {a : α} {as : List α} : length (a :: as) = length as + 1 := rfl
theorem length_singleton {a : α} : length [a] = 1 := rfl
@[simp] theorem length_append {as bs : List α} : (as ++ bs).length = as.length + bs.length := by
  induction as with
  | nil => exact (Nat.zero_add _).symm
  | cons a as ih => rw [cons_append, length_cons, ih, length_cons, Nat.add_right_comm]
theorem eq_nil_of_length_eq_zero {l : List α} (h : l.length = 0) : l = [] := by
  cases l with
  | nil => rfl
  | cons a l => cases h
@[simp] theorem length_eq_zero_iff {l : List α} : l.length = 0 ↔ l = [] := ⟨eq_nil_of_length_eq_zero, fun h => h ▸ rfl⟩
theorem length_pos_iff {l : List α} : 0 < l.length ↔ l ≠ [] := Nat.pos_iff_ne_zero.trans (not_congr length_eq_zero_iff)
theorem length_pos_of_ne_nil {l : List α} (h : l ≠ []) : 0 < l.length := length_pos_iff.2 h
theorem append_inj : {s₁ s₂ t₁ t₂ : List α} → s₁ ++ t₁ = s₂ ++ t₂ → s₁.length = s₂.length → s₁ = s₂ ∧ t₁ = t₂
  | [], [], _, _, h, _ => ⟨rfl, h⟩
  | a :: s₁, b :: s₂, _, _, h, e => by
    have ⟨h1, h2⟩ := List.cons.inj h
    have ⟨h3, h4⟩ := append_inj h2 (Nat.succ.inj e)
    exact ⟨by rw [h1, h3], h4⟩
theorem append_cancel_left {as bs cs : List α} (h : as ++ bs = as ++ cs) : bs = cs := (append_inj h rfl).2
theorem append_cancel_right {as bs cs : List α} (h : as ++ bs = cs ++ bs) : as = cs :=
  (append_inj h (Nat.add_right_cancel (m := bs.length) (by rw [← length_append, ← length_append, h]))).1
@[simp] theorem append_cancel_left_eq (as bs cs : List α) : (as ++ bs = as ++ cs) = (bs = cs) := propext ⟨append_cancel_left, fun h => h ▸ rfl⟩
@[simp] theorem append_cancel_right_eq (as bs cs : List α) : (as ++ bs = cs ++ bs) = (as = cs) := propext ⟨append_cancel_right, fun h => h ▸ rfl⟩
theorem append_right_inj {t₁ t₂ : List α} (s : List α) : s ++ t₁ = s ++ t₂ ↔ t₁ = t₂ := ⟨append_cancel_left, fun h => h ▸ rfl⟩
theorem append_left_inj {s₁ s₂ : List α} (t : List α) : s₁ ++ t = s₂ ++ t ↔ s₁ = s₂ := ⟨append_cancel_right, fun h => h ▸ rfl⟩
@[simp] theorem append_eq_nil_iff {p q : List α} : p ++ q = [] ↔ p = [] ∧ q = [] := by
  cases p with
  | nil => exact ⟨fun h => ⟨rfl, h⟩, And.right⟩
  | cons a p => exact ⟨nofun, nofun⟩
theorem append_ne_nil_of_left_ne_nil {s : List α} (h : s ≠ []) (t : List α) : s ++ t ≠ [] := fun e => h (append_eq_nil_iff.1 e).1
@[simp] theorem isEmpty_nil : ([] : List α).isEmpty = true := rfl
@[simp] theorem isEmpty_cons {x : α} {xs : List α} : (x :: xs).isEmpty = false := rfl
@[simp] theorem isEmpty_iff {l : List α} : l.isEmpty ↔ l = [] := by cases l <;> simp

/-! ### Membership -/
@[simp] theorem not_mem_nil {a : α} : ¬a ∈ ([] : List α) := nofun
@[simp] theorem mem_cons {a b : α} {l : List α} : a ∈ b :: l ↔ a = b ∨ a ∈ l := by
  constructor
  · intro h
    cases h with
    | head => exact .inl rfl
    | tail _ h => exact .inr h
  · intro h
    cases h with
    | inl h => cases h; exact .head _
    | inr h => exact .tail _ h
theorem mem_cons_self {a : α} {l : List α} : a ∈ a :: l := .head _
theorem mem_cons_of_mem (y : α) {a : α} {l : List α} (h : a ∈ l) : a ∈ y :: l := .tail _ h
theorem eq_or_mem_of_mem_cons {a b : α} {l : List α} (h : a ∈ b :: l) : a = b ∨ a ∈ l := mem_cons.1 h
theorem mem_of_ne_of_mem {a y : α} {l : List α} (h : a ≠ y) (k : a ∈ y :: l) : a ∈ l := (mem_cons.1 k).resolve_left h
theorem mem_singleton {a b : α} : a ∈ [b] ↔ a = b := by rw [mem_cons]; exact ⟨fun h => h.resolve_right nofun, .inl⟩
attribute [simp] mem_singleton
theorem eq_of_mem_singleton {a b : α} (h : a ∈ [b]) : a = b := mem_singleton.1 h
theorem mem_singleton_self (a : α) : a ∈ [a] := .head _
@[simp] theorem mem_append {a : α} {s t : List α} : a ∈ s ++ t ↔ a ∈ s ∨ a ∈ t := by
  induction s with
  | nil => exact ⟨.inr, fun h => h.resolve_left nofun⟩
  | cons b s ih => rw [cons_append, mem_cons, mem_cons, ih, or_assoc]
theorem mem_append_left {a : α} {as : List α} (bs : List α) (h : a ∈ as) : a ∈ as ++ bs := mem_append.2 (.inl h)
theorem mem_append_right {b : α} (as : List α) {bs : List α} (h : b ∈ bs) : b ∈ as ++ bs := mem_append.2 (.inr h)
theorem eq_nil_iff_forall_not_mem {l : List α} : l = [] ↔ ∀ a, ¬a ∈ l := by
  cases l with
  | nil => exact ⟨fun _ _ => nofun, fun _ => rfl⟩
  | cons a l => exact ⟨nofun, fun h => (h a (.head _)).elim⟩
theorem ne_nil_of_mem {a : α} {l : List α} (h : a ∈ l) : l ≠ [] := fun e => nomatch (e ▸ h : a ∈ ([] : List α))
theorem length_pos_of_mem {a : α} {l : List α} (h : a ∈ l) : 0 < l.length := length_pos_of_ne_nil (ne_nil_of_mem h)
theorem mem_iff_append {a : α} {l : List α} : a ∈ l ↔ ∃ s t : List α, l = s ++ a :: t := by
  constructor
  · intro h
    induction h with
    | head as => exact ⟨[], as, rfl⟩
    | tail b _ ih => exact ih.elim fun s ⟨t, e⟩ => ⟨b :: s, t, by rw [e]; rfl⟩
  · intro ⟨s, t, e⟩
    rw [e]; exact mem_append_right s (.head _)
theorem append_of_mem {a : α} {l : List α} (h : a ∈ l) : ∃ s t : List α, l = s ++ a :: t := mem_iff_append.1 h
theorem forall_mem_cons {p : α → Prop} {a : α} {l : List α} : (∀ x, x ∈ a :: l → p x) ↔ p a ∧ ∀ x, x ∈ l → p x :=
  ⟨fun h => ⟨h a (.head _), fun x k => h x (.tail _ k)⟩, fun h x k => (mem_cons.1 k).elim (fun e => e ▸ h.1) (h.2 x)⟩
theorem forall_mem_nil (p : α → Prop) : ∀ x, x ∈ ([] : List α) → p x := nofun
theorem sizeOf_lt_of_mem [SizeOf α] {a : α} {as : List α} (h : a ∈ as) : sizeOf a < sizeOf as := by
  induction h with
  | head as => show sizeOf a < 1 + sizeOf a + sizeOf as; exact Nat.lt_add_right _ (Nat.lt_one_add_of_le .refl)
  | @tail b as _ ih => show sizeOf a < 1 + sizeOf b + sizeOf as; exact Nat.lt_add_left _ ih
theorem elem_eq_mem [BEq α] [LawfulBEq α] {a : α} {as : List α} : elem a as = true ↔ a ∈ as := by
  induction as with
  | nil => exact ⟨nofun, nofun⟩
  | cons b bs ih =>
    show (match a == b with | true => true | false => elem a bs) = true ↔ a ∈ b :: bs
    rw [mem_cons, ← ih]
    cases h : a == b with
    | true => exact ⟨fun _ => .inl (eq_of_beq h), fun _ => rfl⟩
    | false => exact ⟨.inr, fun k => k.resolve_left (not_eq_of_beq_eq_false h)⟩
theorem elem_iff [BEq α] [LawfulBEq α] {a : α} {as : List α} : elem a as = true ↔ a ∈ as := elem_eq_mem
@[simp] theorem contains_iff_mem [BEq α] [LawfulBEq α] {a : α} {as : List α} : as.contains a ↔ a ∈ as := elem_eq_mem
instance instDecidableMemOfLawfulBEq [BEq α] [LawfulBEq α] (a : α) (as : List α) : Decidable (a ∈ as) := decidable_of_decidable_of_iff elem_iff

/-! ### Map, filter, folds -/
@[simp] theorem map_nil {f : α → β} : map f [] = [] := rfl
@[simp] theorem map_cons {f : α → β} {a : α} {l : List α} : map f (a :: l) = f a :: map f l := rfl
@[simp] theorem length_map {as : List α} (f : α → β) : (as.map f).length = as.length := by
  induction as with
  | nil => rfl
  | cons a as ih => exact congrArg Nat.succ ih
@[simp] theorem map_append {f : α → β} {l₁ l₂ : List α} : map f (l₁ ++ l₂) = map f l₁ ++ map f l₂ := by
  induction l₁ with
  | nil => rfl
  | cons a l ih => rw [cons_append, map_cons, ih]; rfl
@[simp] theorem map_map {g : β → γ} {f : α → β} {l : List α} : map g (map f l) = map (g ∘ f) l := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [map_cons, map_cons, ih]; rfl
@[simp] theorem map_id_fun : map (id : α → α) = id := funext fun l => by
  induction l with
  | nil => rfl
  | cons a l ih => rw [map_cons, ih]; rfl
@[simp] theorem map_id (l : List α) : map id l = l := congrFun map_id_fun l
@[simp] theorem map_id' (l : List α) : map (fun a => a) l = l := map_id l
theorem map_congr_left {f g : α → β} {l : List α} (h : ∀ a, a ∈ l → f a = g a) : map f l = map g l := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [map_cons, map_cons, h a (.head _), ih fun b k => h b (.tail _ k)]
@[simp] theorem mem_map {f : α → β} {l : List α} {b : β} : b ∈ l.map f ↔ ∃ a, a ∈ l ∧ f a = b := by
  induction l with
  | nil => exact ⟨nofun, fun ⟨_, h, _⟩ => nomatch h⟩
  | cons a l ih =>
    rw [map_cons, mem_cons, ih]
    constructor
    · intro h
      cases h with
      | inl h => exact ⟨a, .head _, h.symm⟩
      | inr h => exact h.elim fun c k => ⟨c, .tail _ k.1, k.2⟩
    · intro ⟨c, h, e⟩
      cases h with
      | head => exact .inl e.symm
      | tail _ h => exact .inr ⟨c, h, e⟩
theorem mem_map_of_mem {f : α → β} {a : α} {l : List α} (h : a ∈ l) : f a ∈ map f l := mem_map.2 ⟨a, h, rfl⟩
@[simp] theorem map_eq_nil_iff {f : α → β} {l : List α} : map f l = [] ↔ l = [] := by cases l <;> simp
@[simp] theorem filter_nil {p : α → Bool} : filter p [] = [] := rfl
theorem filter_cons {x : α} {xs : List α} {p : α → Bool} : (x :: xs).filter p = if p x then x :: xs.filter p else xs.filter p := by
  show (match p x with | true => x :: filter p xs | false => filter p xs) = _
  cases p x <;> rfl
@[simp] theorem filter_cons_of_pos {p : α → Bool} {a : α} {l : List α} (h : p a) : filter p (a :: l) = a :: filter p l := by rw [filter_cons, if_pos h]
@[simp] theorem filter_cons_of_neg {p : α → Bool} {a : α} {l : List α} (h : ¬p a) : filter p (a :: l) = filter p l := by rw [filter_cons, if_neg h]
@[simp] theorem filter_append {p : α → Bool} (l₁ l₂ : List α) : filter p (l₁ ++ l₂) = filter p l₁ ++ filter p l₂ := by
  induction l₁ with
  | nil => rfl
  | cons a l ih =>
    rw [cons_append, filter_cons, filter_cons, ih]
    split <;> rfl
@[simp] theorem mem_filter {x : α} {p : α → Bool} {as : List α} : x ∈ filter p as ↔ x ∈ as ∧ p x := by
  induction as with
  | nil => exact ⟨nofun, fun h => nomatch h.1⟩
  | cons a as ih =>
    rw [filter_cons, mem_cons]
    split
    · rw [mem_cons, ih, or_and_right]
      exact or_congr_left ⟨fun e => ⟨e, e ▸ ‹p a = true›⟩, And.left⟩
    · rw [ih, or_and_right]
      exact (or_iff_right fun (h : x = a ∧ p x = true) => ‹¬p a = true› (h.1 ▸ h.2)).symm
theorem length_filter_le (p : α → Bool) (l : List α) : (filter p l).length ≤ l.length := by
  induction l with
  | nil => exact .refl
  | cons a l ih =>
    rw [filter_cons]
    split
    · exact Nat.succ_le_succ ih
    · exact Nat.le_succ_of_le ih
@[simp] theorem filter_filter {p q : α → Bool} (l : List α) : filter p (filter q l) = filter (fun a => p a && q a) l := by
  induction l with
  | nil => rfl
  | cons a l ih => by_cases h : q a = true <;> by_cases k : p a = true <;> simp [filter_cons, h, k, ih]
@[simp] theorem filterMap_nil {f : α → Option β} : filterMap f [] = [] := rfl
theorem filterMap_cons {f : α → Option β} {a : α} {l : List α} : filterMap f (a :: l) = match f a with | none => filterMap f l | some b => b :: filterMap f l := rfl
@[simp] theorem foldl_nil {f : β → α → β} {b : β} : [].foldl f b = b := rfl
@[simp] theorem foldl_cons {f : β → α → β} {b : β} {a : α} {l : List α} : (a :: l).foldl f b = l.foldl f (f b a) := rfl
@[simp] theorem foldr_nil {f : α → β → β} {b : β} : [].foldr f b = b := rfl
@[simp] theorem foldr_cons {f : α → β → β} {b : β} {a : α} {l : List α} : (a :: l).foldr f b = f a (l.foldr f b) := rfl
@[simp] theorem foldl_append {β : Type v} {f : β → α → β} {b : β} {l l' : List α} : (l ++ l').foldl f b = l'.foldl f (l.foldl f b) := by
  induction l generalizing b with
  | nil => rfl
  | cons a l ih => exact ih
@[simp] theorem foldr_append {f : α → β → β} {b : β} {l l' : List α} : (l ++ l').foldr f b = l.foldr f (l'.foldr f b) := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [cons_append, foldr_cons, ih]; rfl
theorem foldr_map {f : α → β} {g : β → γ → γ} {l : List α} {init : γ} : (l.map f).foldr g init = l.foldr (fun x y => g (f x) y) init := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [map_cons, foldr_cons, ih]; rfl
theorem foldl_map {f : α → β} {g : γ → β → γ} {l : List α} {init : γ} : (l.map f).foldl g init = l.foldl (fun x y => g x (f y)) init := by
  induction l generalizing init with
  | nil => rfl
  | cons a l ih => exact ih
@[simp] theorem flatten_nil : ([] : List (List α)).flatten = [] := rfl
@[simp] theorem flatten_cons {l : List α} {L : List (List α)} : (l :: L).flatten = l ++ L.flatten := rfl
@[simp] theorem flatMap_nil {f : α → List β} : [].flatMap f = [] := rfl
@[simp] theorem flatMap_cons {x : α} {xs : List α} {f : α → List β} : (x :: xs).flatMap f = f x ++ xs.flatMap f := rfl
@[simp] theorem mem_flatten {a : α} {L : List (List α)} : a ∈ L.flatten ↔ ∃ l, l ∈ L ∧ a ∈ l := by
  induction L with
  | nil => exact ⟨nofun, fun ⟨_, h, _⟩ => nomatch h⟩
  | cons l L ih =>
    rw [flatten_cons, mem_append, ih]
    constructor
    · intro h
      cases h with
      | inl h => exact ⟨l, .head _, h⟩
      | inr h => exact h.elim fun m k => ⟨m, .tail _ k.1, k.2⟩
    · intro ⟨m, h, k⟩
      cases h with
      | head => exact .inl k
      | tail _ h => exact .inr ⟨m, h, k⟩

/-! ### Reverse -/
@[simp] theorem reverse_nil : reverse ([] : List α) = [] := rfl
theorem reverseAux_eq_append (as bs : List α) : reverseAux as bs = reverseAux as [] ++ bs := by
  induction as generalizing bs with
  | nil => rfl
  | cons a as ih =>
    show reverseAux as (a :: bs) = reverseAux as [a] ++ bs
    rw [ih (a :: bs), ih [a], append_assoc]; rfl
@[simp] theorem reverse_cons {a : α} {as : List α} : reverse (a :: as) = reverse as ++ [a] := reverseAux_eq_append as [a]
@[simp] theorem reverse_append {as bs : List α} : (as ++ bs).reverse = bs.reverse ++ as.reverse := by
  induction as with
  | nil => exact (append_nil _).symm
  | cons a as ih => rw [cons_append, reverse_cons, ih, reverse_cons, append_assoc]
@[simp] theorem reverse_reverse (as : List α) : as.reverse.reverse = as := by
  induction as with
  | nil => rfl
  | cons a as ih => rw [reverse_cons, reverse_append, ih]; rfl
@[simp] theorem length_reverse {as : List α} : (as.reverse).length = as.length := by
  induction as with
  | nil => rfl
  | cons a as ih => rw [reverse_cons, length_append, ih]; rfl
@[simp] theorem mem_reverse {x : α} {as : List α} : x ∈ reverse as ↔ x ∈ as := by
  induction as with
  | nil => exact .rfl
  | cons a as ih => rw [reverse_cons, mem_append, ih, mem_singleton, mem_cons, or_comm]
@[simp] theorem reverse_eq_nil_iff {xs : List α} : xs.reverse = [] ↔ xs = [] := ⟨fun h => (reverse_reverse xs).symm.trans (congrArg reverse h), fun h => by rw [h, reverse_nil]⟩
theorem reverse_inj {xs ys : List α} : xs.reverse = ys.reverse ↔ xs = ys := ⟨fun h => by rw [← reverse_reverse xs, h, reverse_reverse], fun h => h ▸ rfl⟩
attribute [simp] reverse_inj
@[simp] theorem map_reverse {f : α → β} {l : List α} : l.reverse.map f = (l.map f).reverse := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [reverse_cons, map_append, ih]; exact reverse_cons.symm
@[simp] theorem foldr_reverse {l : List α} {f : α → β → β} {b : β} : l.reverse.foldr f b = l.foldl (fun x y => f y x) b := by
  induction l generalizing b with
  | nil => rfl
  | cons a l ih => rw [reverse_cons, foldr_append, ih]; rfl
@[simp] theorem foldl_reverse {l : List α} {f : β → α → β} {b : β} : l.reverse.foldl f b = l.foldr (fun x y => f y x) b := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [reverse_cons, foldl_append, ih]; rfl

/-! ### All, any, find -/
@[simp] theorem any_nil {p : α → Bool} : [].any p = false := rfl
@[simp] theorem any_cons {p : α → Bool} {a : α} {l : List α} : (a :: l).any p = (p a || l.any p) := rfl
@[simp] theorem all_nil {p : α → Bool} : [].all p = true := rfl
@[simp] theorem all_cons {p : α → Bool} {a : α} {l : List α} : (a :: l).all p = (p a && l.all p) := rfl
@[simp] theorem any_eq_true {l : List α} {p : α → Bool} : l.any p = true ↔ ∃ x, x ∈ l ∧ p x := by
  induction l with
  | nil => exact ⟨nofun, fun ⟨_, h, _⟩ => nomatch h⟩
  | cons a l ih =>
    rw [any_cons, Bool.or_eq_true, ih]
    constructor
    · intro h
      cases h with
      | inl h => exact ⟨a, .head _, h⟩
      | inr h => exact h.elim fun b k => ⟨b, .tail _ k.1, k.2⟩
    · intro ⟨b, h, k⟩
      cases h with
      | head => exact .inl k
      | tail _ h => exact .inr ⟨b, h, k⟩
@[simp] theorem all_eq_true {l : List α} {p : α → Bool} : l.all p = true ↔ ∀ x, x ∈ l → p x := by
  induction l with
  | nil => exact ⟨fun _ => nofun, fun _ => rfl⟩
  | cons a l ih => rw [all_cons, Bool.and_eq_true, ih, forall_mem_cons]
@[simp] theorem any_append {p : α → Bool} {xs ys : List α} : (xs ++ ys).any p = (xs.any p || ys.any p) := by
  induction xs with
  | nil => rfl
  | cons a l ih => rw [cons_append, any_cons, ih, any_cons, Bool.or_assoc]
@[simp] theorem all_append {p : α → Bool} {xs ys : List α} : (xs ++ ys).all p = (xs.all p && ys.all p) := by
  induction xs with
  | nil => rfl
  | cons a l ih => rw [cons_append, all_cons, ih, all_cons, Bool.and_assoc]
@[simp] theorem find?_nil {p : α → Bool} : [].find? p = none := rfl
theorem find?_cons {p : α → Bool} {a : α} {as : List α} : (a :: as).find? p = match p a with | true => some a | false => as.find? p := rfl
theorem find?_some {p : α → Bool} {b : α} : {l : List α} → l.find? p = some b → p b
  | a :: l, h => by
    rw [find?_cons] at h
    cases k : p a with
    | true => rw [k] at h; exact Option.some.inj h ▸ k
    | false => rw [k] at h; exact find?_some h
theorem mem_of_find?_eq_some {p : α → Bool} {b : α} : {l : List α} → l.find? p = some b → b ∈ l
  | a :: l, h => by
    rw [find?_cons] at h
    cases k : p a with
    | true => rw [k] at h; exact Option.some.inj h ▸ .head _
    | false => rw [k] at h; exact .tail _ (mem_of_find?_eq_some h)

/-! ### Take, drop, zip, replicate -/
@[simp] theorem take_zero {l : List α} : l.take 0 = [] := rfl
@[simp] theorem take_nil {i : Nat} : ([] : List α).take i = [] := by cases i <;> rfl
@[simp] theorem take_succ_cons {a : α} {as : List α} {i : Nat} : (a :: as).take (i + 1) = a :: as.take i := rfl
@[simp] theorem drop_zero {l : List α} : l.drop 0 = l := rfl
@[simp] theorem drop_nil {i : Nat} : ([] : List α).drop i = [] := by cases i <;> rfl
@[simp] theorem drop_succ_cons {a : α} {l : List α} {i : Nat} : (a :: l).drop (i + 1) = l.drop i := rfl
@[simp] theorem take_append_drop (i : Nat) (l : List α) : l.take i ++ l.drop i = l := by
  induction i generalizing l with
  | zero => rfl
  | succ i ih => cases l with
    | nil => rfl
    | cons a l => exact congrArg (cons a) (ih l)
@[simp] theorem take_length {l : List α} : l.take l.length = l := by
  induction l with
  | nil => rfl
  | cons a l ih => exact congrArg (cons a) ih
@[simp] theorem length_take (i : Nat) (l : List α) : (l.take i).length = min i l.length := by
  induction i generalizing l with
  | zero => rw [take_zero, Nat.zero_min]; rfl
  | succ i ih => cases l with
    | nil => rw [take_nil, length_nil, Nat.min_zero]
    | cons a l =>
      rw [take_succ_cons, length_cons, ih, length_cons, Nat.min_def, Nat.min_def]
      by_cases h : i ≤ l.length
      · rw [if_pos h, if_pos (Nat.succ_le_succ h)]
      · rw [if_neg h, if_neg fun k => h (Nat.le_of_succ_le_succ k)]
@[simp] theorem length_drop (i : Nat) (l : List α) : (l.drop i).length = l.length - i := by
  induction i generalizing l with
  | zero => rfl
  | succ i ih => cases l with
    | nil => rw [drop_nil, length_nil, Nat.zero_sub]
    | cons a l => rw [drop_succ_cons, ih, length_cons, Nat.succ_sub_succ]
@[simp] theorem drop_length {l : List α} : l.drop l.length = [] := by
  induction l with
  | nil => rfl
  | cons a l ih => exact ih
theorem mem_of_mem_take {a : α} {i : Nat} {l : List α} (h : a ∈ l.take i) : a ∈ l := take_append_drop i l ▸ mem_append_left _ h
theorem mem_of_mem_drop {a : α} {i : Nat} {l : List α} (h : a ∈ l.drop i) : a ∈ l := take_append_drop i l ▸ mem_append_right _ h
@[simp] theorem replicate_zero {a : α} : replicate 0 a = [] := rfl
theorem replicate_succ {a : α} {n : Nat} : replicate (n + 1) a = a :: replicate n a := rfl
@[simp] theorem length_replicate {n : Nat} {a : α} : (replicate n a).length = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg Nat.succ ih
@[simp] theorem mem_replicate {a b : α} {n : Nat} : b ∈ replicate n a ↔ n ≠ 0 ∧ b = a := by
  induction n with
  | zero => exact ⟨nofun, fun h => (h.1 rfl).elim⟩
  | succ n ih =>
    rw [replicate_succ, mem_cons, ih]
    exact ⟨fun h => ⟨nofun, h.elim id And.right⟩, fun h => .inl h.2⟩
theorem eq_of_mem_replicate {a b : α} {n : Nat} (h : b ∈ replicate n a) : b = a := (mem_replicate.1 h).2
@[simp] theorem zipWith_nil_left {f : α → β → γ} {l : List β} : zipWith f [] l = [] := rfl
@[simp] theorem zipWith_nil_right {f : α → β → γ} {l : List α} : zipWith f l [] = [] := by cases l <;> rfl
@[simp] theorem zipWith_cons_cons {f : α → β → γ} {a : α} {as : List α} {b : β} {bs : List β} : zipWith f (a :: as) (b :: bs) = f a b :: zipWith f as bs := rfl
@[simp] theorem zip_nil_left {l : List β} : zip ([] : List α) l = [] := rfl
@[simp] theorem zip_nil_right {l : List α} : zip l ([] : List β) = [] := by cases l <;> rfl
@[simp] theorem zip_cons_cons {a : α} {as : List α} {b : β} {bs : List β} : zip (a :: as) (b :: bs) = (a, b) :: zip as bs := rfl
@[simp] theorem length_zipWith {f : α → β → γ} {as : List α} {bs : List β} : (zipWith f as bs).length = min as.length bs.length := by
  induction as generalizing bs with
  | nil => rw [zipWith_nil_left, length_nil, length_nil, Nat.zero_min]
  | cons a as ih => cases bs with
    | nil => rw [zipWith_nil_right, length_nil, length_nil, Nat.min_zero]
    | cons b bs =>
      rw [zipWith_cons_cons, length_cons, ih, length_cons, length_cons, Nat.min_def, Nat.min_def]
      by_cases h : as.length ≤ bs.length
      · rw [if_pos h, if_pos (Nat.succ_le_succ h)]
      · rw [if_neg h, if_neg fun k => h (Nat.le_of_succ_le_succ k)]
@[simp] theorem length_zip {as : List α} {bs : List β} : (zip as bs).length = min as.length bs.length := length_zipWith

/-! ### Heads and indices -/
@[simp] theorem head?_nil : ([] : List α).head? = none := rfl
@[simp] theorem head?_cons {a : α} {l : List α} : (a :: l).head? = some a := rfl
@[simp] theorem head_cons {a : α} {l : List α} {h : a :: l ≠ []} : (a :: l).head h = a := rfl
@[simp] theorem tail_nil : ([] : List α).tail = [] := rfl
@[simp] theorem tail_cons {a : α} {as : List α} : (a :: as).tail = as := rfl
@[simp] theorem headD_nil {d : α} : headD [] d = d := rfl
@[simp] theorem headD_cons {a d : α} {as : List α} : headD (a :: as) d = a := rfl
@[simp] theorem getElem?_nil {i : Nat} : ([] : List α)[i]? = none := rfl
@[simp] theorem getElem?_cons_zero {a : α} {l : List α} : (a :: l)[0]? = some a := rfl
@[simp] theorem getElem?_cons_succ {a : α} {l : List α} {i : Nat} : (a :: l)[i + 1]? = l[i]? := rfl
@[simp] theorem getElem_cons_zero (a : α) (as : List α) (h : 0 < (a :: as).length) : (a :: as)[0] = a := rfl
@[simp] theorem getElem_cons_succ (a : α) (as : List α) (i : Nat) (h : i + 1 < (a :: as).length) : (a :: as)[i + 1] = @getElem (List α) Nat α (fun as i => i < as.length) _ as i (Nat.lt_of_succ_lt_succ h) := rfl
@[simp] theorem getElem?_eq_getElem {l : List α} {i : Nat} (h : i < l.length) : l[i]? = some l[i] := by
  induction l generalizing i with
  | nil => exact (Nat.not_lt_zero _ h).elim
  | cons a l ih => cases i with
    | zero => rfl
    | succ i => exact ih (Nat.lt_of_succ_lt_succ h)
theorem getElem?_eq_none_iff {l : List α} {i : Nat} : l[i]? = none ↔ l.length ≤ i := by
  induction l generalizing i with
  | nil => exact ⟨fun _ => Nat.zero_le i, fun _ => rfl⟩
  | cons a l ih => cases i with
    | zero => exact ⟨nofun, nofun⟩
    | succ i => exact ih.trans Nat.succ_le_succ_iff.symm
attribute [simp] getElem?_eq_none_iff
theorem getElem?_eq_none {l : List α} {i : Nat} (h : l.length ≤ i) : l[i]? = none := getElem?_eq_none_iff.2 h
theorem getElem_mem {l : List α} {i : Nat} (h : i < l.length) : l[i] ∈ l := by
  induction l generalizing i with
  | nil => exact (Nat.not_lt_zero _ h).elim
  | cons a l ih => cases i with
    | zero => exact .head _
    | succ i => exact .tail _ (ih (Nat.lt_of_succ_lt_succ h))
attribute [simp] getElem_mem
theorem ext_getElem? : {l₁ l₂ : List α} → (∀ i : Nat, l₁[i]? = l₂[i]?) → l₁ = l₂
  | [], [], _ => rfl
  | [], b :: l, h => nomatch h 0
  | a :: l, [], h => nomatch h 0
  | a :: l, b :: m, h => by
    have e : a = b := Option.some.inj (h 0)
    rw [e, ext_getElem? fun i => h (i + 1)]
@[simp] theorem set_nil {i : Nat} {a : α} : [].set i a = [] := rfl
@[simp] theorem set_cons_zero {x a : α} {xs : List α} : (x :: xs).set 0 a = a :: xs := rfl
@[simp] theorem set_cons_succ {x a : α} {xs : List α} {i : Nat} : (x :: xs).set (i + 1) a = x :: xs.set i a := rfl
@[simp] theorem length_set {as : List α} {i : Nat} {a : α} : (as.set i a).length = as.length := by
  induction as generalizing i with
  | nil => rfl
  | cons x xs ih => cases i with
    | zero => rfl
    | succ i => exact congrArg Nat.succ ih
@[simp] theorem sum_nil {α : Type u} [Add α] [Zero α] : ([] : List α).sum = 0 := rfl
@[simp] theorem sum_cons {α : Type u} [Add α] [Zero α] {a : α} {l : List α} : (a :: l).sum = a + l.sum := rfl

/-! ### Relations between lists -/
protected instance instHasSubset : HasSubset (List α) := ⟨fun l₁ l₂ => ∀ ⦃a⦄, a ∈ l₁ → a ∈ l₂⟩
theorem nil_subset (l : List α) : [] ⊆ l := fun _ h => nomatch h
protected theorem Subset.refl (l : List α) : l ⊆ l := fun _ h => h
protected theorem Subset.trans {l₁ l₂ l₃ : List α} (h : l₁ ⊆ l₂) (k : l₂ ⊆ l₃) : l₁ ⊆ l₃ := fun _ x => k (h x)
theorem subset_cons_self (a : α) (l : List α) : l ⊆ a :: l := fun _ h => .tail _ h
theorem cons_subset {a : α} {l m : List α} : a :: l ⊆ m ↔ a ∈ m ∧ l ⊆ m := forall_mem_cons
theorem subset_append_left (l₁ l₂ : List α) : l₁ ⊆ l₁ ++ l₂ := fun _ h => mem_append_left _ h
theorem subset_append_right (l₁ l₂ : List α) : l₂ ⊆ l₁ ++ l₂ := fun _ h => mem_append_right _ h
theorem prefix_append (l₁ l₂ : List α) : l₁ <+: l₁ ++ l₂ := ⟨l₂, rfl⟩
theorem suffix_append (l₁ l₂ : List α) : l₂ <:+ l₁ ++ l₂ := ⟨l₁, rfl⟩
@[simp, refl] theorem prefix_refl (l : List α) : l <+: l := ⟨[], append_nil l⟩
@[simp] theorem nil_prefix {l : List α} : [] <+: l := ⟨l, rfl⟩
@[simp, refl] theorem Sublist.refl (l : List α) : l <+ l := by
  induction l with
  | nil => exact .slnil
  | cons a l ih => exact .cons₂ a ih
theorem nil_sublist (l : List α) : [] <+ l := by
  induction l with
  | nil => exact .slnil
  | cons a l ih => exact .cons a ih
theorem Sublist.length_le {l₁ l₂ : List α} (h : l₁ <+ l₂) : l₁.length ≤ l₂.length := by
  induction h with
  | slnil => exact .refl
  | cons _ _ ih => exact .step ih
  | cons₂ _ _ ih => exact Nat.succ_le_succ ih
theorem Sublist.subset {l₁ l₂ : List α} (h : l₁ <+ l₂) : l₁ ⊆ l₂ := by
  induction h with
  | slnil => exact nil_subset _
  | cons _ _ ih => exact fun _ k => .tail _ (ih k)
  | cons₂ b _ ih => exact fun x k => (mem_cons.1 k).elim (fun e => e ▸ .head _) fun k => .tail _ (ih k)
@[simp, refl] protected theorem Perm.refl (l : List α) : l ~ l := by
  induction l with
  | nil => exact .nil
  | cons a l ih => exact .cons a ih
protected theorem Perm.rfl {l : List α} : l ~ l := .refl l
@[symm] protected theorem Perm.symm {l₁ l₂ : List α} (h : l₁ ~ l₂) : l₂ ~ l₁ := by
  induction h with
  | nil => exact .nil
  | cons a _ ih => exact .cons a ih
  | swap a b l => exact .swap b a l
  | trans _ _ ih₁ ih₂ => exact .trans ih₂ ih₁
theorem Perm.length_eq {l₁ l₂ : List α} (h : l₁ ~ l₂) : l₁.length = l₂.length := by
  induction h with
  | nil => rfl
  | cons a _ ih => exact congrArg Nat.succ ih
  | swap a b l => rfl
  | trans _ _ ih₁ ih₂ => exact ih₁.trans ih₂
theorem Perm.mem_iff {a : α} {l₁ l₂ : List α} (h : l₁ ~ l₂) : a ∈ l₁ ↔ a ∈ l₂ := by
  induction h with
  | nil => exact .rfl
  | cons b _ ih => rw [mem_cons, mem_cons, ih]
  | swap b c l => rw [mem_cons, mem_cons, mem_cons, mem_cons, or_left_comm]
  | trans _ _ ih₁ ih₂ => exact ih₁.trans ih₂
@[simp] theorem pairwise_cons {R : α → α → Prop} {a : α} {l : List α} : Pairwise R (a :: l) ↔ (∀ a', a' ∈ l → R a a') ∧ Pairwise R l :=
  ⟨fun h => match h with | .cons h k => ⟨h, k⟩, fun h => .cons h.1 h.2⟩
@[simp] theorem nodup_nil : @Nodup α [] := .nil
@[simp] theorem nodup_cons {a : α} {l : List α} : (a :: l).Nodup ↔ ¬a ∈ l ∧ l.Nodup := by
  show Pairwise _ _ ↔ _
  rw [pairwise_cons]
  exact and_congr_left' ⟨fun h k => h a k rfl, fun h b k e => h (e ▸ k)⟩
end List
