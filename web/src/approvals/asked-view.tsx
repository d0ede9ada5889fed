import { lazy, Suspense, type ReactElement } from 'react'
import type { ListedApproval } from 'dragoman/client'
import type { CallPlace } from 'dragoman/client/work-log'
import { Markdown } from '../markdown/markdown.tsx'
import styles from './asked-view.module.css'
import type { Asked } from './asked.ts'
import { FieldList, JsonView } from './field-list.tsx'
import { isFields } from './json-fields.ts'
import { WholeText } from './whole-text.tsx'

/** The command, and the fields that Codex derives from it, which are not run. */
const commandFields = (tool: string, { agent }: CallPlace): readonly string[] =>
  agent === 'codex' && tool === 'commandExecution' ? ['command', 'commandActions', 'source'] : ['command']

const fewLines = 10

/** Marks that there is more text: empty lines could push the last ones out of view. */
function LineCount({ text }: { readonly text: string }): ReactElement | null {
  const count = text.split('\n').length
  return count <= fewLines ? null : (
    <p className={styles['count']}>{`${count} lines. Scroll to read all of them.`}</p>
  )
}

/** The full request: users must see what they allow. */
export function AskedView({
  approval,
  asked,
  place,
}: {
  readonly approval: ListedApproval
  readonly asked: Asked
  readonly place: CallPlace
}): ReactElement | null {
  const { input } = approval
  switch (asked.kind) {
    case 'questions':
      return null
    case 'form':
      return asked.message === '' ? null : (
        <p>
          <WholeText text={asked.message} />
        </p>
      )
    case 'plan':
      return (
        <>
          <div className={styles['plan']}>
            <Markdown text={asked.plan} />
          </div>
          <FieldList input={input} shown={['plan']} />
        </>
      )
    case 'command':
      return (
        <>
          <LineCount text={asked.command} />
          <pre className={styles['command']} tabIndex={0} aria-label="Command">
            <WholeText text={asked.command} />
          </pre>
          <FieldList input={input} shown={commandFields(approval.tool, place)} />
        </>
      )
    case 'edit':
      return <EditView approval={approval} place={place} />
    case 'call':
      return isFields(input) ? <FieldList input={input} shown={[]} /> : <JsonView value={input} />
  }
}

const EditDiff = lazy(async () => ({ default: (await import('./edit-diff.tsx')).EditDiff }))

/** The changes of an edit; the raw input until the comparison is done. */
const EditView = (props: { readonly approval: ListedApproval; readonly place: CallPlace }): ReactElement => (
  <Suspense fallback={<FieldList input={props.approval.input} shown={[]} />}>
    <EditDiff {...props} />
  </Suspense>
)
