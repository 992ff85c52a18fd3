prelude
import Init.Lemmas
