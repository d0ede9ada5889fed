import { useRef, type ClipboardEvent, type KeyboardEvent, type ReactElement, type RefObject } from 'react'
import { useMedia } from '../ui/use-media.ts'
import styles from './composer.module.css'
import { step, type Recall } from './history.ts'
import { fieldKey } from './field-key.ts'
import { filesIn } from './read-file.ts'

/** The props of the field. */
export interface MessageFieldProps {
  readonly ref: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly placeholder: string
  readonly disabled: boolean
  /** Earlier prompts, newest first; read only when the user goes back in the history. */
  readonly prompts: () => readonly string[]
  readonly onText: (text: string) => void
  readonly onFiles: (files: readonly File[]) => void
  readonly onSend: () => void
}

const mostRows = 12

/** The message box. It grows with its text, and the arrow keys recall earlier prompts. */
export function MessageField(props: MessageFieldProps): ReactElement {
  const { ref, text, placeholder, disabled, prompts, onText, onFiles, onSend } = props
  const recall = useRef<Recall | null>(null)
  const phone = useMedia('(hover: none) and (pointer: coarse)')
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const action = fieldKey({ ...pressIn(event), phone })
    if (action === null) return
    if (action === 'send') {
      event.preventDefault()
      recall.current = null
      return onSend()
    }
    const recalled = step(prompts(), recall.current, action, text)
    if (recalled === null) return
    event.preventDefault()
    recall.current = recalled.recall
    onText(recalled.text)
    atEnd(event.currentTarget)
  }
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const files = filesIn(event.clipboardData, { wordsFirst: true })
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  }
  return (
    <textarea
      ref={ref}
      aria-label="Message"
      className={styles['field']}
      rows={Math.min(mostRows, text.split('\n').length)}
      enterKeyHint={phone ? 'enter' : 'send'}
      value={text}
      placeholder={placeholder}
      disabled={disabled}
      onChange={({ target }) => {
        recall.current = null
        onText(target.value)
      }}
      onKeyDown={press}
      onPaste={paste}
    />
  )
}

function pressIn(event: KeyboardEvent<HTMLTextAreaElement>) {
  const { key, shiftKey, ctrlKey, metaKey, altKey, nativeEvent, currentTarget: field } = event
  const size = Number.parseFloat(getComputedStyle(field).fontSize) || 16
  return {
    key,
    shift: shiftKey,
    held: ctrlKey || metaKey || altKey,
    composing: nativeEvent.isComposing,
    text: field.value,
    start: field.selectionStart,
    end: field.selectionEnd,
    // A field that has no width yet folds nothing.
    columns: Math.floor(field.clientWidth / (size / 2)) || Infinity,
  }
}

/** Runs after the text was rendered. */
const atEnd = (field: HTMLTextAreaElement) =>
  requestAnimationFrame(() => field.setSelectionRange(field.value.length, field.value.length))
