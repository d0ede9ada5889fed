import { useMemo, useState, type ReactElement } from 'react'
import type { Conversation, ShownMessage } from 'dragoman/client'
import type { CallPlace } from 'dragoman/client/work-log'
import type { InspectTarget } from '../inspector/target.ts'
import { Empty } from '../ui/empty.tsx'
import { emptyBook, type InteractionBook } from './interaction-facts.ts'
import { RowList } from './row-list.tsx'
import { RowSettingContext, type Lit, type RowSetting } from './row-setting.ts'
import { createRows, type RunningNow } from './rows.ts'
import { noSteps, toggled } from './step-rows.ts'
import { createWritable } from 'dragoman/client/readable'
import { noChoices } from './thread-rows.ts'
import styles from './transcript.module.css'

/** A conversation at one moment. */
export interface TranscriptViewProps {
  /** The main conversation. */
  readonly messages: readonly ShownMessage[]
  /** Subagent messages, by the tool call that started each. */
  readonly threads: Conversation
  /** The known interactions, for days, ends and handovers. */
  readonly book?: InteractionBook
  /** The agent and folder of the tool calls. */
  readonly place?: CallPlace
  readonly running?: RunningNow | null
  readonly onInspect?: (target: InspectTarget) => void
}

const nowhere: CallPlace = { agent: null, cwd: null }

/** A conversation without a session: the same rows, read-only. */
export function TranscriptView({
  messages,
  threads,
  book = emptyBook,
  place = nowhere,
  running = null,
  onInspect,
}: TranscriptViewProps): ReactElement {
  const [make] = useState(() => createRows({ isLive: false }))
  const [lit] = useState(() => createWritable<Lit | null>(null))
  const [unfolded] = useState(() => new Map<string, boolean>())
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(() => new Map())
  const choices = useMemo(() => ({ ...noChoices, chosen }), [chosen])
  const conversation = useMemo(() => new Map(threads).set(null, messages), [messages, threads])
  const [open, setOpen] = useState(noSteps.open)
  const watched = running?.interaction ?? null
  const steps = useMemo(() => ({ watched, open }), [watched, open])
  const rows = useMemo(
    () => make({ older: [], conversation, book, threads: choices, steps, outbox: [], running }),
    [make, conversation, book, choices, steps, running],
  )
  const setting: RowSetting = useMemo(
    () => ({
      live: null,
      place,
      onInspect: onInspect ?? null,
      choose: (thread, isOpen) => setChosen(before => new Map(before).set(thread, isOpen)),
      openSteps: (run, isOpen) => setOpen(before => toggled(before, run, isOpen)),
      unfolded,
      lit,
    }),
    [place, onInspect, unfolded, lit],
  )
  return (
    <div className={styles['transcript']}>
      <RowSettingContext value={setting}>
        {rows.length === 0 ? (
          <Empty title="No messages up to this point" />
        ) : (
          <RowList rows={rows} loadOlder={null} wanted={null} />
        )}
      </RowSettingContext>
    </div>
  )
}
