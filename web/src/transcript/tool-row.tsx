import { useCallback, useMemo, type ReactElement } from 'react'
import { createWritable } from 'dragoman/client/readable'
import { useReadable } from 'dragoman/react'
import { ApprovalInline } from '../approvals/approval-inline.tsx'
import { ComparingContext, useComparing } from '../tools/diff/comparing-context.ts'
import { ToolCard } from '../tools/tool-card.tsx'
import { isFoundIn, useRowSetting, type LiveSetting } from './row-setting.ts'
import { usePart } from '../ui/use-part.ts'
import type { RowOf } from './row.ts'
import { derive } from 'dragoman/client/readable'
import { changedTask, taskName } from './task-names.ts'
import styles from './tool-row.module.css'

interface Of {
  readonly row: RowOf<'tool'>
}

/** A tool call, and the question about it where one waits. */
export function ToolRow({ row }: Of): ReactElement {
  const { live, place, lit } = useRowSetting()
  const onInspect = useInspect(row)
  const isFound = usePart(lit, now => isFoundIn(now, row.key))
  const { part, thread, shortened, isStart } = row
  if (live !== null) return <LiveTool row={row} live={live} isFound={isFound} onInspect={onInspect} />
  return (
    <ToolCard
      part={part}
      session={null}
      thread={thread}
      live={false}
      place={place}
      shortened={shortened ?? undefined}
      sentence={isStart ? startSentence : undefined}
      isFound={isFound}
      onInspect={onInspect}
    />
  )
}

/** The label in a subagent's box for the call that started the subagent, which is not a call by the subagent. */
const startSentence = 'Task and answer'

function useInspect({ message }: RowOf<'tool'>): ((toolCall: string) => void) | undefined {
  const { onInspect } = useRowSetting()
  const inspect = useCallback(
    (toolCall: string) => (message === null ? undefined : onInspect?.({ toolCall, message })),
    [onInspect, message],
  )
  return onInspect === null || message === null ? undefined : inspect
}

const nameless = createWritable<string | null>(null)

function LiveTool({
  row: { part, thread, shortened, isStart },
  live: { session, room },
  isFound,
  onInspect,
}: Of & {
  readonly live: LiveSetting
  readonly isFound: boolean
  readonly onInspect: ((toolCall: string) => void) | undefined
}): ReactElement {
  const { place } = useRowSetting()
  const { toolCallId } = part
  const approval = usePart(session.approvals, all => all.findLast(each => each.toolCallId === toolCallId))
  const isRunning = usePart(session.status, status => status.running !== null)
  const task = useMemo(
    () =>
      changedTask(part) === null
        ? nameless
        : derive([room.rows] as const, rows => taskName(rows, part, thread)),
    [room, part, thread],
  )
  const [isComparing, countComparing] = useComparing()
  // The card itself shows denials.
  const request = 'approval' in part && part.approval?.approved !== false ? part.approval : undefined
  return (
    <ComparingContext value={countComparing}>
      <ToolCard
        part={part}
        session={session}
        thread={thread}
        live={isRunning}
        place={place}
        approval={approval}
        shortened={shortened ?? undefined}
        sentence={isStart ? startSentence : undefined}
        task={useReadable(task) ?? undefined}
        isFound={isFound}
        onInspect={onInspect}
      >
        {request !== undefined && (
          <div className={styles['asked']}>
            <ApprovalInline session={session} approval={request} isComparing={isComparing} />
          </div>
        )}
      </ToolCard>
    </ComparingContext>
  )
}
