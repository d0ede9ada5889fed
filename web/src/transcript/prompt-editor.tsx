import {
  useEffect,
  useRef,
  type FormEvent,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
} from 'react'
import type { Message } from 'dragoman'
import type { Session } from 'dragoman/client'
import { draftStore } from '../drafts/draft-store.ts'
import { useDraftText } from '../drafts/use-draft-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { Button } from '../ui/button.tsx'
import { promptWords } from './edit-prompt.ts'
import styles from './prompt-editor.module.css'
import { useEditing, type Editing } from './use-editing.ts'

/** The props of the editor of a prompt. */
export interface PromptEditorProps {
  readonly session: Session
  readonly message: Message
  /** Whether the user just opened it, so that it takes the focus. */
  readonly takesFocus: boolean
  readonly onClose: () => void
}

const whatOf = (session: Session, message: Message) => `prompt ${session.id} ${message.id}`

/** Whether an edit of a prompt was started, here or on a page that was closed. */
export const hasDraft = (session: Session, message: Message): boolean =>
  draftStore.read(whatOf(session, message)) !== null

/** Edits a prompt: in place, replacing everything after it, or in a new session that branches before it. */
export function PromptEditor({ session, message, takesFocus, onClose }: PromptEditorProps): ReactElement {
  const field = useRef<HTMLTextAreaElement>(null)
  const what = whatOf(session, message)
  const { words, setWords, trouble } = useDraftText(what, promptWords(message))
  const close = () => {
    draftStore.forget(each => each === what)
    onClose()
  }
  const editing = useEditing(session, message, words, close)
  useFocusAtEnd(field, takesFocus)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (editing.canSend && !editing.isRunning) editing.replace()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
    event.stopPropagation()
  }
  return (
    <form className={styles['editor']} onSubmit={submit}>
      <textarea
        ref={field}
        className={styles['field']}
        aria-label="Edit the message"
        value={words}
        rows={Math.min(12, Math.max(3, words.split('\n').length))}
        onChange={event => setWords(event.target.value)}
        onKeyDown={press}
      />
      <p className={styles['hint']}>
        {`${filesWords(message)}${
          editing.isRunning
            ? 'You can send from here once the agent has finished or you stopped it.'
            : 'Everything after this message is replaced. The journal keeps the old messages.'
        }`}
      </p>
      {[trouble, editing.problem].map(
        sentence =>
          sentence !== null && (
            <p key={sentence} role="alert" className={styles['problem']}>
              <InertText text={sentence} />
            </p>
          ),
      )}
      <Buttons editing={editing} onClose={close} />
    </form>
  )
}

/** Says that the files are sent too, if there are any. */
function filesWords({ parts }: Message): string {
  const files = parts.filter(({ type }) => type === 'file').length
  return files === 0
    ? ''
    : `${files === 1 ? 'The attached file is' : `The ${files} attached files are`} sent too. `
}

function useFocusAtEnd(field: RefObject<HTMLTextAreaElement | null>, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return
    const element = field.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [field, isWanted])
}

const Buttons = ({
  editing: { canSend, isRunning, branch },
  onClose,
}: {
  readonly editing: Editing
  readonly onClose: () => void
}): ReactElement => (
  <div className={styles['buttons']}>
    <Button kind="quiet" small onClick={onClose}>
      Cancel
    </Button>
    <Button small disabled={!canSend} onClick={branch}>
      Send in a new session
    </Button>
    <Button kind="primary" small type="submit" disabled={!canSend || isRunning}>
      Send from here
    </Button>
  </div>
)
