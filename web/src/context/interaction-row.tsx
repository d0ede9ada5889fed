import { useState, type ReactElement } from 'react'
import { ChevronRight, Ellipsis, Pin } from 'lucide-react'
import type { Session } from 'dragoman/client'
import { InertText } from '../safety/inert-text.tsx'
import { agentTitle, useKnownAgents } from '../agents/use-agents.ts'
import { counted } from '../ui/amounts.ts'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Menu } from '../ui/menu.tsx'
import { duration, inFull } from '../ui/moments.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import { usePart } from '../ui/use-part.ts'
import { promptWords } from '../work-log/prompt-words.ts'
import type { Question } from './confirm.tsx'
import { InteractionSaved } from './interaction-saved.tsx'
import styles from './interaction-row.module.css'
import { useInteractionMenu } from './use-interaction-menu.ts'
import { validityWords, type Interaction } from './words.ts'

/** What an interaction in the list is given. */
export interface InteractionRowProps {
  readonly session: Session
  readonly interaction: Interaction
  readonly onAsk: (question: Question) => void
}

const outcomeWords = { failed: 'Failed', interrupted: 'Stopped' } as const

/** One interaction: what it was about, whether it counts, and what can be done about that. */
export function InteractionRow({ session, interaction, onAsk }: InteractionRowProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const { id, start, stop, agent, validity, deleted, pinned, outcome } = interaction
  const words = usePart(session.state, ({ view }) => promptWords(view.messages.get(null) ?? [], id))
  const agents = useKnownAgents()
  const items = useInteractionMenu(session.id, interaction, onAsk)
  const [validWords, tone] = validityWords[validity]
  // Of what was imported, beginning and end may be the same.
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
