import type { RollbackWish } from 'dragoman/client/context'
import type { MenuItem } from '../ui/menu.tsx'
import type { Question } from './confirm.tsx'
import { useContextActions } from './use-context-actions.ts'
import { canTakeBack, type Manipulation } from './words.ts'

/** The ways to undo a line of the audit: it alone, all of its tool, or all since. */
export function useAuditMenu(
  session: string,
  manipulation: Manipulation,
  onAsk: (question: Question) => void,
): readonly MenuItem[] {
  const { rollBack } = useContextActions(session)
  const { id, seq, kind, actor } = manipulation
  const item = (label: string, about: string, request: RollbackWish): MenuItem => ({
    label,
    onChoose: () =>
      onAsk({
        title: `${label}?`,
        about,
        yes: label,
        hasReason: true,
        onYes: reason => void rollBack({ ...request, ...(reason !== undefined && { reason }) }),
      }),
  })
  const isBack = kind === 'rolled-back'
  return [
    ...(id !== null && canTakeBack(manipulation)
      ? [
          item(
            isBack ? 'Redo' : 'Undo',
            isBack
              ? 'The undone changes apply again.'
              : 'Changes that depend on it are undone too. You can redo this.',
            { manipulations: [id] },
          ),
        ]
      : []),
    ...(actor.kind === 'tool'
      ? [
          item(`Undo all changes by ${actor.name}`, 'Every change by this tool is undone.', {
            tool: actor.name,
          }),
        ]
      : []),
    ...(kind === 'applied'
      ? [
          item('Undo this and later changes', 'This change and all later ones are undone.', {
            after: seq - 1,
          }),
        ]
      : []),
  ]
}
