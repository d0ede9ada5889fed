import { useEffect, useMemo, useState, type ReactElement } from 'react'
import { ArrowLeft } from 'lucide-react'
import { isDragomanError, type Readable } from 'dragoman/client'
import { createReplay, type Replay, type ReplayView } from 'dragoman/client/replay'
import { useClient, useReadable } from 'dragoman/react'
import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { InertText } from '../safety/inert-text.tsx'
import { SessionGone } from '../session/session-states.tsx'
import { PinnedPlan } from '../transcript/todo-panel.tsx'
import { TranscriptView } from '../transcript/transcript-view.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { usePart } from '../ui/use-part.ts'
import { useFetched } from '../ui/use-fetched.ts'
import { useOnReconnect } from '../ui/use-on-reconnect.ts'
import { goToMark } from './marks.ts'
import { ReplayControls } from './replay-controls.tsx'
import styles from './replay-page.module.css'

/** The replay of a session at any moment. */
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

/** The replay of a session. If nothing could be loaded, it starts over once the server is back. */
function useReplay(session: string): Replay {
  const client = useClient()
  const [round, setRound] = useState(0)
  // oxlint-disable-next-line react/exhaustive-deps -- each round is a new beginning
  const replay = useMemo(() => createReplay(client, session), [client, session, round])
  const isUnread = usePart(replay.state, ({ head, problem }) => problem !== null && head === 0)
  useOnReconnect(() => isUnread && setRound(round + 1))
  return replay
}

/** Starts with the first prompt: before it there is nothing to see. */
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

/** Elements with their own keys keep them: Space presses buttons, arrows move in choices. */
const isFree = () => document.activeElement?.closest('button, a, summary, input, select, [role=tab]') == null

/** The keys of a replay. */
function useReplayKeys(replay: Replay): void {
  const command = (id: 'play' | 'next' | 'previous' | 'next-mark' | 'previous-mark', run: () => void) => ({
    ...keyed(`replay-${id}`),
    run,
    when: isFree,
  })
  useCommands([
    command('play', () => (replay.state.get().playing ? replay.pause() : replay.play())),
    command('next', () => replay.step(1)),
    command('previous', () => replay.step(-1)),
    command('next-mark', () => goToMark(replay, 1)),
    command('previous-mark', () => goToMark(replay, -1)),
  ])
}

/** What the replay's header shows of its session. */
interface ReplayFacts {
  readonly title: string | null
  readonly agent: string
  readonly cwd: string
}

/** Loads the session once. `gone` when it does not exist; the replay itself reports other problems. */
const useSessionFacts = (session: string): ReplayFacts | 'gone' | null =>
  useFetched<ReplayFacts | 'gone'>(
    ['replayed session', session],
    (client, signal) =>
      client.call('getSession', { params: { session } }, { signal }).catch((error: unknown) => {
        if (isDragomanError(error, 'unknown-session')) return 'gone'
        throw error
      }),
    { staleTime: Infinity, gcTime: 0 },
  ).data
