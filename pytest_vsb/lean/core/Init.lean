prelude
import Init.Int
