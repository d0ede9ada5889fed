import type { ReactElement } from 'react'
import type { MessagePart, PromptPart } from 'dragoman'
import { InertText } from '../safety/inert-text.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Attachment } from './attachment.tsx'
import styles from './prompt-bubble.module.css'
import { useUnfolded } from './row-setting.ts'

const longText = 2000
const manyLines = 24

/** The text and files of a prompt; a long one is cut until the user expands it. */
export function PromptBubble({
  name,
  parts,
  isPending = false,
}: {
  /** Under which it is remembered that it was unfolded. */
  readonly name: string
  readonly parts: readonly (MessagePart | PromptPart)[]
  readonly isPending?: boolean
}): ReactElement {
  const texts = parts.flatMap(part => (part.type === 'text' ? [part.text] : []))
  const files = parts.flatMap(part => (part.type === 'file' ? [part] : []))
  const text = texts.join('\n\n')
  const [open, setOpen] = useUnfolded(name, false)
  const shown = open ? text : cut(text)
  return (
    <div className={classNames(styles['bubble'], isPending && styles['pending'])}>
      {text !== '' && (
        <p className={styles['words']}>
          <InertText text={shown} />
        </p>
      )}
      {cut(text) !== text && (
        <Button kind="quiet" small onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Show full message'}
        </Button>
      )}
      {files.length > 0 && (
        <ul className={styles['files']} aria-label="Attachments">
          {files.map((file, at) => (
            <li key={at}>
              <Attachment file={file} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function cut(text: string): string {
  const lines = text.split('\n', manyLines + 1)
  if (text.length <= longText && lines.length <= manyLines) return text
  return `${lines.slice(0, manyLines).join('\n').slice(0, longText).trimEnd()} …`
}
