import type { ReactElement } from 'react'
import { Bot, ChevronRight, FileCode2 } from 'lucide-react'
import type { DataParts } from 'dragoman'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { counted, dollars, short } from '../ui/amounts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { beginningOf } from '../ui/long-words.tsx'
import fold from './fold.module.css'
import { useRowSetting } from './row-setting.ts'
import type { RowOf } from './row.ts'
import styles from './subagent-row.module.css'
import { subagentName } from './subagent-name.ts'

type Status = DataParts['subagent']['status']

const looks: Readonly<Record<Status, readonly [tone: Tone, word: string]>> = {
  running: ['live', 'Running'],
  completed: ['good', 'Done'],
  failed: ['bad', 'Failed'],
  stopped: ['warn', 'Stopped'],
}

/**
 * The head of a subagent: name, task, status and usage; its messages unfold under it. While closed it is one
 * line with at most the beginning of a long task: the call that started it has all of it.
 */
export function SubagentRow({ row }: { readonly row: RowOf<'subagent'> }): ReactElement {
  const { choose, onInspect } = useRowSetting()
  const { starts, report, open, message } = row
  const { name, description } = subagentName(row)
  return (
    <div className={styles['subagent']}>
      <div className={styles['head']}>
        <button
          type="button"
          className={classNames(fold['fold'], styles['title'])}
          aria-expanded={open}
          onClick={() => choose(starts, !open)}
        >
          <ChevronRight size={15} aria-hidden className={classNames(fold['chevron'], open && fold['open'])} />
          <Bot size={16} aria-hidden className={styles['icon']} />
          <span
            className={classNames(styles['words'], !open && styles['line'])}
            title={inertString(`${name} ${description}`)}
          >
            <strong>
              <InertText text={beginningOf(name) ?? name} />
            </strong>{' '}
            <InertText text={beginningOf(description) ?? description} />
          </span>
        </button>
        {report !== null && <Standing report={report} />}
        {onInspect !== null && message !== null && (
          <IconButton
            label="Raw"
            className={styles['raw']}
            onClick={() => onInspect({ toolCall: starts, message })}
          >
            <FileCode2 size={15} aria-hidden />
          </IconButton>
        )}
      </div>
      <Under row={row} />
    </div>
  )
}

/** Its last message while it is closed, or its loading state. */
function Under({
  row: { starts, report, open, state },
}: {
  readonly row: RowOf<'subagent'>
}): ReactElement | null {
  const { choose } = useRowSetting()
  if (!open)
    return report?.status === 'running' && report.lastWords !== null ? (
      <p className={styles['last']}>
        <InertText text={report.lastWords} />
      </p>
    ) : null
  if (state === 'ready') return null
  if (state === 'loading') return <p className={styles['last']}>Loading its messages…</p>
  return (
    <p className={styles['problem']} role="alert">
      <InertText text={state.problem} />{' '}
      <Button small onClick={() => choose(starts, true)}>
        Try again
      </Button>
    </p>
  )
}

function Standing({ report }: { readonly report: DataParts['subagent'] }): ReactElement {
  const { status, toolCalls, tokens, cost } = report
  const [tone, word] = looks[status]
  return (
    <span className={styles['facts']}>
      <Badge tone={tone}>{word}</Badge>
      {/* Zero may also mean that it was not reported. */}
      {toolCalls > 0 && <span>{counted(toolCalls, 'tool call')}</span>}
      {tokens !== null && <span>{counted(tokens, 'token', short)}</span>}
      {cost !== null && <span>{dollars(cost)}</span>}
    </span>
  )
}
