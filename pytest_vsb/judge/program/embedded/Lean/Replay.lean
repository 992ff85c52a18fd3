import Lean
namespace Lean
@[extern ""] opaque Environment.replay (newConstants : Std.HashMap Name ConstantInfo) (env : Environment) : IO Environment
end Lean
