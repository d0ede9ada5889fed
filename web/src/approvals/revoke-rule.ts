import { isDragomanError, type Session } from 'dragoman/client'
import { toast, toastError } from '../ui/toast.ts'

/** Revokes a rule. Returns whether it is gone now, revoked here or earlier. */
export async function revokeRule(session: Pick<Session, 'revokeRule'>, rule: string): Promise<boolean> {
  return session.revokeRule(rule).then(
    () => true,
    (error: unknown) => {
      const isGone = isDragomanError(error, 'unknown-rule')
      if (isGone) toast('This rule was already revoked.')
      else toastError(error)
      return isGone
    },
  )
}
