import { useState, type ReactElement } from 'react'
import { ChevronRight, Ellipsis, Pin } from 'lucide-react'
import type { Session } from 'dragoman/client'
import { useManipulations } from 'dragoman/react'
import { agentTitle, useKnownAgents } from '../agents/use-agents.ts'
import { InertText } from '../safety/inert-text.tsx'
import { counted } from '../ui/amounts.ts'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { duration, inFull } from '../ui/moments.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import { usePart } from '../ui/use-part.ts'
import { promptWords } from '../work-log/prompt-words.ts'
import { AuditRow } from './audit-row.tsx'
import type { Question } from './confirm.tsx'
import styles from './interaction-row.module.css'
import interactionSavedStyles from './interaction-saved.module.css'
import { useContextActions } from './use-context-actions.ts'
import { validityWords, deedsFor, type Interaction } from './words.ts'

/** The props of an interaction in the list. */
export interface InteractionRowProps {
  readonly session: Session
  readonly interaction: Interaction
  readonly onAsk: (question: Question) => void
}

const outcomeWords = { failed: 'Failed', interrupted: 'Stopped' } as const

/** One interaction: its prompt, whether it is active, and the available actions. */
export function InteractionRow({ session, interaction, onAsk }: InteractionRowProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const { id, start, stop, agent, validity, deleted, pinned, outcome } = interaction
  const words = usePart(session.state, ({ view }) => promptWords(view.messages.get(null) ?? [], id))
  const agents = useKnownAgents()
  const items = useInteractionMenu(session.id, interaction, onAsk)
  const [validWords, tone] = validityWords[validity]
  // Imported interactions may start and end at the same time.
  const took = stop === null ? 'still running' : stop.at > start.at ? duration(stop.at - start.at) : ''
  return (
    <li className={classNames(styles['row'], (deleted || validity !== 'active') && styles['gone'])}>
      <div className={styles['line']}>
        <button
          type="button"
          className={styles['open']}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight className={styles['chevron']} size={14} aria-hidden />
          <span className={styles['words']}>
            <InertText text={words ?? `Turn of ${inFull(start.at)}`} />
          </span>
        </button>
        <Menu label="Change the context" icon={<Ellipsis size={16} aria-hidden />} items={items} />
      </div>
      <p className={styles['facts']}>
        <Badge tone={tone}>{validWords}</Badge>
        {pinned && (
          <Badge tone="accent">
            <Pin size={12} aria-hidden /> Pinned
          </Badge>
        )}
        {deleted && <Badge tone="bad">Deleted</Badge>}
        {outcome !== null && outcome !== 'finished' && <Badge tone="warn">{outcomeWords[outcome]}</Badge>}
        <PlaceLink to={{ page: 'session', session: session.id, interaction: id }}>Show</PlaceLink>
        <span className={styles['more']}>
          {[agentTitle(agents, agent), inFull(start.at), took, ...workWords(interaction)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </p>
      {isOpen && <InteractionSaved session={session.id} interaction={interaction} onAsk={onAsk} />}
    </li>
  )
}

function workWords({ messages, work }: Interaction): readonly string[] {
  const calls = work.pending + work.success + work.failure + work.partial
  return [
    counted(messages.length, 'message'),
    calls === 0 ? '' : counted(calls, 'call'),
    work.failure === 0 ? '' : `${work.failure} failed`,
  ]
}

/** The context changes of an interaction, and their reasons. */
function InteractionSaved({
  session,
  interaction: { id, reason },
  onAsk,
}: {
  readonly session: string
  readonly interaction: Interaction
  readonly onAsk: (question: Question) => void
}): ReactElement {
  const { manipulations, next, problem } = useManipulations(session, { interaction: id, limit: '100' })
  return (
    <div className={interactionSavedStyles['saved']}>
      {reason !== null && <p>{`Ended early: ${reason}`}</p>}
      {problem !== null && <p>{problem}</p>}
      {manipulations.length === 0 && <p>Nothing trimmed: the model sees everything.</p>}
      <ul>
        {manipulations.toReversed().map(each => (
          <AuditRow key={each.seq + (each.id ?? '')} session={session} manipulation={each} onAsk={onAsk} />
        ))}
      </ul>
      {next !== null && <p>The audit lists all changes.</p>}
    </div>
  )
}

/** The menu of an interaction; all changes ask first, except pinning and exporting. */
function useInteractionMenu(
  session: string,
  interaction: Interaction,
  onAsk: (question: Question) => void,
): readonly MenuItem[] {
  const { change, rollBack, saveInteraction } = useContextActions(session)
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
