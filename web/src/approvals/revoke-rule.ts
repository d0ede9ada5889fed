import { isDragomanError, type Session } from 'dragoman/client'
import { toast, toastError } from '../ui/toast.ts'

/** Takes a rule back. Says whether it is gone now, by us or by somebody before us. */
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
