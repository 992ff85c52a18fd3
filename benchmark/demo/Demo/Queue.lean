/-! A first-in first-out queue of two lists, refining a plain list. -/

set_option autoImplicit false

namespace Demo

/-- Elements leave at the head of `front` and arrive at the head of `back`. -/
structure Queue (α : Type) where
  front : List α
  back : List α

namespace Queue

/-- The list of elements that a queue stands for, /- nested /- twice -/ -/ oldest first. -/
def toList {α : Type} (q : Queue α) : List α := q.front ++ rev q.back
where
  /-- A list, reversed. -/
  rev : List α → List α
    | [] => []
    | x :: xs => rev xs ++ [x]

section

variable {α : Type}

/-- Add an element. -/
def push (q : Queue α) (x : α) : Queue α := { q with back := x :: q.back }

/-- Move everything to `front`. -/
def flip (q : Queue α) : Queue α := { front := q.toList, back := [] }

/-- Take the oldest element. -/
def pop? (q : Queue α) : Option (α × Queue α) :=
  match q.front with
  | x :: xs => some (x, { q with front := xs })
  | [] => match toList.rev q.back with
    | [] => none
    | x :: xs => some (x, { front := xs, back := [] })

/-- The queue without elements. -/
def empty! : Queue α := ⟨[], []⟩

theorem toList_empty! : (empty! : Queue α).toList = [] := rfl

theorem toList_mk_nil {xs : List α} : toList { front := xs, back := [] } = xs :=
  List.append_nil xs

/-- A new element comes last. -/
theorem toList_push (q : Queue α) (x : α) : (q.push x).toList = q.toList ++ [x] :=
  (List.append_assoc q.front (toList.rev q.back) [x]).symm

theorem «toList of flip» (q : Queue α) : let r : Queue α := q.flip; r.toList = q.toList := by
  intro r
  exact toList_mk_nil

/-- What `pop?` takes is the head of the list, and the rest remains. -/
theorem pop?_some {q r : Queue α} {x : α} (h : q.pop? = some (x, r)) :
    q.toList = x :: r.toList := by
  unfold pop? at h
  unfold toList
  split at h
  · rename_i y ys hf
    cases h
    rw [hf]
    rfl
  · rename_i hf
    split at h
    · cases h
    · rename_i y ys hb
      cases h
      rw [hf, hb]
      exact congrArg (x :: ·) (List.append_nil _).symm

/-- `pop?` fails on empty queues only. -/
theorem pop?_none {q : Queue α} (h : q.pop? = none) : q.toList = [] := by
  unfold pop? at h
  unfold toList
  split at h
  · cases h
  · rename_i hf
    split at h
    · rename_i hb
      rw [hf, hb]
      rfl
    · cases h

end

/-- How a queue is written in messages. -/
def legend : String := "{ front := [oldest], back := [newest] } -- or \"/- empty\""

/-- Push every element of a list. -/
def pushAll {α : Type} (q : Queue α) : List α → Queue α
  | [] => q
  | x :: xs => (q.push x).pushAll xs

theorem toList_pushAll {α : Type} : ∀ (q : Queue α) (xs : List α),
    (q.pushAll xs).toList = q.toList ++ xs
  | q, [] => (List.append_nil q.toList).symm
  | q, x :: xs => by
    rw [pushAll, toList_pushAll, toList_push, List.append_assoc]
    rfl

/-- The same, with the empty queue where none is given. -/
theorem toList_pushAll_empty! {α : Type} (xs : List α) (q : Queue α := empty!)
    (hq : q.toList = []) : (q.pushAll xs).toList = xs := by
  rw [toList_pushAll, hq, List.nil_append]

end Queue

end Demo
