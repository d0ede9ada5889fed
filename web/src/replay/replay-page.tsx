import { useEffect, useMemo, useState, type ReactElement } from 'react'
import { ArrowLeft } from 'lucide-react'
import type { Readable } from 'dragoman/client'
import { createReplay, type Replay, type ReplayView } from 'dragoman/client/replay'
import { useClient, useReadable } from 'dragoman/react'
import { InertText } from '../safety/inert-text.tsx'
import { SessionGone } from '../session/session-states.tsx'
import { PinnedPlan } from '../transcript/todo-panel.tsx'
import { TranscriptView } from '../transcript/transcript-view.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { usePart } from '../ui/use-part.ts'
import { useSecondTry } from '../ui/use-second-try.ts'
import { ReplayControls } from './replay-controls.tsx'
import styles from './replay-page.module.css'
import { useReplayKeys } from './use-replay-keys.ts'
import { useSessionFacts, type ReplayFacts } from './use-session-facts.ts'

/** A session as it was, at any moment of it. */
export function ReplayPage({ session }: { readonly session: string }): ReactElement {
  const client = useClient()
  const facts = useSessionFacts(session)
  if (facts === 'gone') return <SessionGone session={client.session(session)} />
  return <Replayed session={session} facts={facts} />
}

function Replayed({
  session,
  facts,
}: {
  readonly session: string
  readonly facts: ReplayFacts | null
}): ReactElement {
  const replay = useReplay(session)
  const problem = usePart(replay.state, state => state.problem)
  useReplayKeys(replay)
  useFirstPrompt(replay)
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <PlaceLink to={{ page: 'session', session }} className={styles['back']}>
          <ArrowLeft size={16} aria-hidden /> Back to the session
        </PlaceLink>
        <h1 className={styles['title']}>
          Replay of <InertText text={facts === null ? 'a session' : (facts.title ?? 'an untitled session')} />
        </h1>
      </header>
      {problem !== null && (
        <p role="alert" className={styles['problem']}>
          Couldn’t load the session: <InertText text={problem} />
        </p>
      )}
      <Shown view={replay.view} agent={facts?.agent ?? null} cwd={facts?.cwd ?? null} />
      <ReplayControls replay={replay} />
    </div>
  )
}

/** The replay of a session; one of which nothing could be read is begun anew when the server is back. */
function useReplay(session: string): Replay {
  const client = useClient()
  const [round, setRound] = useState(0)
  // oxlint-disable-next-line react/exhaustive-deps -- each round is a new beginning
  const replay = useMemo(() => createReplay(client, session), [client, session, round])
  const isUnread = usePart(replay.state, ({ head, problem }) => problem !== null && head === 0)
  useSecondTry(isUnread, () => setRound(round + 1))
  return replay
}

/** Begins with the first prompt: before it there is nothing to be seen. */
function useFirstPrompt(replay: Replay): void {
  const first = usePart(replay.state, ({ marks }) => marks.find(({ kind }) => kind === 'prompt')?.seq ?? null)
  useEffect(() => {
    if (first !== null && replay.state.get().wanted === 0) replay.seek(first)
  }, [replay, first])
}

const none: readonly never[] = []

function Shown({
  view,
  agent,
  cwd,
}: {
  readonly view: Readable<ReplayView>
  readonly agent: string | null
  readonly cwd: string | null
}): ReactElement {
  const { messages, interactions, todos, status } = useReadable(view)
  const place = useMemo(() => ({ agent, cwd }), [agent, cwd])
  const book = useMemo(() => ({ facts: interactions, homes: new Map(), from: null }), [interactions])
  const interaction = status.running?.interaction ?? null
  const waiting = status.status === 'waiting'
  const running = useMemo(
    () => (interaction === null ? null : { interaction, waiting }),
    [interaction, waiting],
  )
  return (
    <>
      <PinnedPlan todos={todos.get(null) ?? none} />
      <div className={styles['transcript']}>
        <TranscriptView
          messages={messages.get(null) ?? none}
          threads={messages}
          book={book}
          place={place}
          running={running}
        />
      </div>
    </>
  )
}
