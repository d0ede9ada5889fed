import type { ReactElement } from 'react'
import type { Client, Session } from 'dragoman/client'
import { FilePen, X } from 'lucide-react'
import { InertText } from '../safety/inert-text.tsx'
import { counted } from '../ui/amounts.ts'
import { Empty, Loading } from '../ui/empty.tsx'
import { inFull } from '../ui/moments.ts'
import { NotRead } from '../ui/not-read.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { useFetched } from '../ui/use-fetched.ts'
import { usePart } from '../ui/use-part.ts'
import { landmarksKey, readLandmarks } from './landmarks.ts'
import styles from './outline-panel.module.css'

const page = 100
const mostPages = 20

/** The prompts of a session, with how many calls failed and how many changed files. A click goes there. */
export function OutlinePanel({ session }: { readonly session: Session }): ReactElement {
  const { id } = session
  // It is read again when a turn starts or ends.
  const turn = usePart(session.status, ({ running }) => running?.interaction ?? null)
  const outline = useFetched(['outline', id, turn], (client, signal) => readOutline(client, id, signal), {
    placeholderData: before => before,
  })
  const changes = useFetched([...landmarksKey(id, 'change'), turn], (client, signal) =>
    readLandmarks(client, id, 'change', signal),
  )
  const { data, problem, again } = outline
  if (data === null)
    return problem === null ? (
      <Loading what="the outline" />
    ) : (
      <NotRead what="the outline" problem={problem} onAgain={again} />
    )
  if (data.length === 0) return <Empty title="No prompts yet" />
  const changed = Map.groupBy(changes.data ?? [], ({ interaction }) => interaction)
  return (
    <nav aria-label="Outline" className={styles['outline']}>
      <ol>
        {data.map(item => (
          <li key={item.id}>
            <Item session={id} item={item} changes={changed.get(item.id)?.length ?? 0} />
          </li>
        ))}
      </ol>
    </nav>
  )
}

type Item = Awaited<ReturnType<typeof readOutline>>[number]

const untold = {
  user: 'A prompt without text',
  agent: 'The agent continued on its own',
  schedule: 'Started by a schedule',
  synthetic: 'Started automatically',
} as const

function Item({
  session,
  item: { id, trigger, text, start, work },
  changes,
}: {
  readonly session: string
  readonly item: Item
  readonly changes: number
}): ReactElement {
  return (
    <PlaceLink
      to={{ page: 'session', session, interaction: id }}
      className={styles['item']}
      title={inFull(start.at)}
    >
      <span className={styles['words']}>
        {text === undefined ? <i>{untold[trigger]}</i> : <InertText text={text.replaceAll(/\s+/g, ' ')} />}
      </span>
      {(changes > 0 || work.failure > 0) && (
        <span className={styles['facts']}>
          {changes > 0 && (
            <span>
              <FilePen size={13} aria-hidden />
              {counted(changes, 'change')}
            </span>
          )}
          {work.failure > 0 && (
            <strong className={styles['failures']}>
              <X size={13} aria-hidden />
              {counted(work.failure, 'failure')}
            </strong>
          )}
        </span>
      )}
    </PlaceLink>
  )
}

/** All interactions with the beginning of their prompts, oldest first. */
async function readOutline(client: Client, session: string, signal: AbortSignal) {
  type Read = Awaited<ReturnType<typeof readPage>>
  const all: Read['interactions'][number][] = []
  let before: number | null = null
  for (let at = 0; at < mostPages; at += 1) {
    const read: Read = await readPage(client, session, before, signal)
    all.unshift(...read.interactions)
    before = read.next
    if (before === null) break
  }
  // A replaced prompt is no longer part of the conversation.
  return all.filter(({ validity, deleted }) => validity !== 'superseded' && !deleted)
}

const readPage = (client: Client, session: string, before: number | null, signal: AbortSignal) =>
  client.call(
    'GET /api/sessions/:session/interactions',
    {
      params: { session },
      query: { texts: '1', limit: String(page), ...(before !== null && { before: String(before) }) },
    },
    { signal },
  )
