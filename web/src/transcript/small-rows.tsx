import { useId, type ReactElement } from 'react'
import { ChevronRight, CircleDashed, CircleHelp } from 'lucide-react'
import { ForeignLink } from '../links/foreign-link.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { InertText } from '../safety/inert-text.tsx'
import { Terminal } from '../tools/terminal/terminal.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { hostOf } from './attached.ts'
import { Attachment } from './attachment.tsx'
import fold from './fold.module.css'
import { PlanList } from './plan-list.tsx'
import { planLine } from './plan-words.ts'
import { PromptBubble } from './prompt-bubble.tsx'
import prompt from './prompt-row.module.css'
import { useRowSetting, useUnfolded } from './row-setting.ts'
import type { RowOf, SourcePart } from './row.ts'
import line from './small-line.module.css'
import styles from './sources-row.module.css'

/** A file or an image from the agent. */
export const FileRow = ({ row: { file } }: { readonly row: RowOf<'file'> }): ReactElement => (
  <Attachment file={file} large />
)

/** A message the user sent while the agent was running, which the agent used in its answer. */
export const MeanwhileRow = ({ row: { key, words } }: { readonly row: RowOf<'meanwhile'> }): ReactElement => (
  <article className={prompt['prompt']} aria-label="You, while it worked">
    <PromptBubble name={key} parts={[{ type: 'text', text: words }]} />
  </article>
)

/** The plan of a subagent; that of the conversation is pinned. */
export function PlanRow({ row: { key, todos } }: { readonly row: RowOf<'plan'> }): ReactElement {
  const id = useId()
  const [open, setOpen] = useUnfolded(key, false)
  return (
    <div>
      <button
        type="button"
        className={fold['fold']}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={14} aria-hidden className={classNames(fold['chevron'], open && fold['open'])} />
        <InertText text={`Plan: ${planLine(todos)}`} />
      </button>
      <div id={id}>{open && <PlanList todos={todos} />}</div>
    </div>
  )
}

/** The output of a command that the user ran. */
export const PrintedRow = ({ row: { output, errors } }: { readonly row: RowOf<'printed'> }): ReactElement => (
  <Terminal command={null} output={output} errors={errors} live={false} />
)

/** A finished answer without content. */
export const SilentRow = (): ReactElement => (
  <div className={line['line']}>
    <CircleDashed size={14} aria-hidden />
    <span>The agent ended without a message.</span>
  </div>
)

/** What the agent names as its sources. */
export const SourcesRow = ({ row: { sources } }: { readonly row: RowOf<'sources'> }): ReactElement => (
  <ul className={styles['sources']} aria-label="Sources">
    {sources.map((source, at) => (
      <li key={at} className={styles['source']}>
        <Source source={source} />
      </li>
    ))}
  </ul>
)

function Source({ source }: { readonly source: SourcePart }): ReactElement {
  if (source.type === 'source-document') return <InertText text={source.filename ?? source.title} />
  const host = hostOf(source.url) ?? source.url
  return (
    <ForeignLink address={source.url}>
      <InertText text={source.title === undefined ? host : `${source.title} (${host})`} />
    </ForeignLink>
  )
}

/** The agent's text. */
export const TextRow = ({ row: { text, streaming } }: { readonly row: RowOf<'text'> }): ReactElement => (
  <Markdown text={text} streaming={streaming} />
)

/** A message of a type this version does not know; the raw line can be opened. */
export function UnknownRow({
  row: { agent, native, count, message },
}: {
  readonly row: RowOf<'unknown'>
}): ReactElement {
  const { onInspect } = useRowSetting()
  return (
    <div className={line['line']}>
      <CircleHelp size={14} aria-hidden />
      <span>
        {count === 1 ? 'Unknown message type: ' : `${count} messages of unknown type: `}
        <code>
          <InertText text={native} />
        </code>
        {' from '}
        <InertText text={agent} />
      </span>
      {onInspect !== null && message !== null && (
        <Button kind="quiet" small onClick={() => onInspect({ message })}>
          Raw
        </Button>
      )}
    </div>
  )
}
