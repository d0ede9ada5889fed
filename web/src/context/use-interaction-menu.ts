import type { MenuItem } from '../ui/menu.tsx'
import type { Question } from './confirm.tsx'
import { useDeeds } from './use-deeds.ts'
import { deedsFor, type Interaction } from './words.ts'

/** What can be done to an interaction, as things to choose; each is asked first, but pinning and taking along. */
export function useInteractionMenu(
  session: string,
  interaction: Interaction,
  onAsk: (question: Question) => void,
): readonly MenuItem[] {
  const { change, rollBack, saveInteraction } = useDeeds(session)
  const { id } = interaction
  const changes = deedsFor(interaction).map((deed): MenuItem => {
    const run = (reason?: string) =>
      void change({ do: deed.do, interaction: id, ...(reason !== undefined && { reason }) }, deed.done)
    const ask = () =>
      onAsk({ title: `${deed.label}?`, about: deed.about, yes: deed.label, hasReason: true, onYes: run })
    const isLight = deed.do === 'pin' || deed.do === 'unpin'
    return { label: deed.label, danger: deed.do === 'delete', onChoose: isLight ? () => run() : ask }
  })
  const takeBack = () =>
    onAsk({
      title: 'Undo all changes to this turn?',
      about: 'All context changes to this turn are undone, including those made by rules and tools.',
      yes: 'Undo all',
      hasReason: true,
      onYes: reason => void rollBack({ interaction: id, ...(reason !== undefined && { reason }) }),
    })
  return [
    ...changes,
    { label: 'Undo all changes', onChoose: takeBack },
    { label: 'Export', onChoose: () => void saveInteraction(id) },
  ]
}
