import type { ReactElement } from 'react'
import type { WorkLogEntry } from 'dragoman/client/work-log'
import type { InspectTarget } from '../inspector/target.ts'
import { InertText } from '../safety/inert-text.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { duration, inFull } from '../ui/moments.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import styles from './work-details.module.css'

/** The props of a line of the work log. */
export interface WorkRowProps {
  readonly session: string
  readonly folder: string | null
  readonly entry: WorkLogEntry
  /** Under how many calls of subagents it was made. */
  readonly depth: number
  readonly isOpen: boolean
  readonly onToggle: (key: string) => void
  readonly onInspect: (target: InspectTarget) => void
}

/** All details of a call, with links to its message and native lines. */
export function WorkDetails({ session, folder, entry, onInspect }: WorkRowProps): ReactElement {
  const { tool, effect, thread, start, stop, message, toolCallId, impact, seqs } = entry
  return (
    <div className={styles['details']}>
      <dl className={styles['facts']}>
        <Fact term="Tool">{`${tool} (${effect})`}</Fact>
        {thread !== null && <Fact term="Subagent">{thread}</Fact>}
        {start && <Fact term="Started">{inFull(start.at)}</Fact>}
        {stop && <Fact term="Ended">{inFull(stop.at)}</Fact>}
        {entry.duration !== null && entry.duration > 0 && (
          <Fact term="Duration">{duration(entry.duration)}</Fact>
        )}
        {Object.entries(entry.parameters).map(([name, value]) => (
          <Fact key={name} term={name}>
            {String(value)}
          </Fact>
        ))}
        {seqs.length > 0 && <Fact term="Entries">{seqs.join(', ')}</Fact>}
      </dl>
      {impact.length > 0 && (
        <ul className={styles['impact']} aria-label="Affected files and resources">
          {impact.map(({ resource, change }) => (
            <li key={`${change} ${resource}`}>
              <Badge tone={tones[change]}>{change}</Badge>
              <code>
                <InertText text={resourceWords(resource, folder)} />
              </code>
            </li>
          ))}
        </ul>
      )}
      <div className={styles['ways']}>
        <PlaceLink to={{ page: 'session', session, message }}>Show in transcript</PlaceLink>
        <Button small onClick={() => onInspect({ toolCall: toolCallId, message })}>
          Raw
        </Button>
      </div>
    </div>
  )
}

const tones: Readonly<Record<WorkRowProps['entry']['impact'][number]['change'], Tone>> = {
  created: 'good',
  changed: 'accent',
  deleted: 'bad',
  read: 'neutral',
  ran: 'neutral',
}

const Fact = ({ term, children }: { readonly term: string; readonly children: string }) => (
  <div>
    <dt>
      <InertText text={term} />
    </dt>
    <dd>
      <InertText text={children} />
    </dd>
  </div>
)

/** An affected resource for display: without its kind, and relative to the session's folder where it is inside it. */
export function resourceWords(resource: string, folder: string | null): string {
  const words = resource.replace(/^[a-z]+:/, '')
  return folder !== null && words.startsWith(`${folder}/`) ? words.slice(folder.length + 1) : words
}
