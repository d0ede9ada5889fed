import type { RollbackWish } from 'dragoman/client/context'
import type { MenuItem } from '../ui/menu.tsx'
import type { Question } from './confirm.tsx'
import { useDeeds } from './use-deeds.ts'
import { canTakeBack, type Manipulation } from './words.ts'

/** The ways to take a line of the audit back: it alone, all of its tool, or all since. */
export function useAuditMenu(
  session: string,
  manipulation: Manipulation,
  onAsk: (question: Question) => void,
): readonly MenuItem[] {
  const { rollBack } = useDeeds(session)
  const { id, seq, kind, actor } = manipulation
  const item = (label: string, about: string, wish: RollbackWish): MenuItem => ({
    label,
    onChoose: () =>
      onAsk({
        title: `${label}?`,
        about,
        yes: label,
        hasReason: true,
        onYes: reason => void rollBack({ ...wish, ...(reason !== undefined && { reason }) }),
      }),
  })
  const isBack = kind === 'rolled-back'
  return [
    ...(id !== null && canTakeBack(manipulation)
      ? [
          item(
            isBack ? 'Have it again' : 'Take back',
            isBack
              ? 'What was taken back holds again.'
              : 'What followed from it is taken back, too. It can be had again.',
            { manipulations: [id] },
          ),
        ]
      : []),
    ...(actor.kind === 'tool'
      ? [
          item(`Take back all of ${actor.name}`, 'All that this tool changed is taken back.', {
            tool: actor.name,
          }),
        ]
      : []),
    ...(kind === 'applied'
      ? [
          item('Take back all since', 'This change and all that came after it are taken back.', {
            after: seq - 1,
          }),
        ]
      : []),
  ]
}
