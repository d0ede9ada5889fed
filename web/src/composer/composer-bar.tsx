import { useRef, type ReactElement, type ReactNode } from 'react'
import { ArrowUp, Paperclip, Square } from 'lucide-react'
import { Button, IconButton } from '../ui/button.tsx'
import styles from './composer.module.css'
import type { Stopping } from './use-stop.ts'

/** The bar under the field: attach, options, status, stop and send. */
export function ComposerBar({
  stopping,
  disabled,
  canSend,
  options,
  onFiles,
  onSend,
}: {
  readonly stopping: Stopping
  readonly disabled: boolean
  readonly canSend: boolean
  /** The options of the agent. */
  readonly options: ReactNode
  readonly onFiles: (files: readonly File[]) => void
  readonly onSend: () => void
}): ReactElement {
  const picker = useRef<HTMLInputElement>(null)
  const { isRunning, isStopping, hindrance, message, stop } = stopping
  return (
    <div className={styles['bar']}>
      <IconButton label="Attach files" disabled={disabled} onClick={() => picker.current?.click()}>
        <Paperclip size={18} aria-hidden />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
      {options}
      <span className={styles['said']} role="status">
        {message}
      </span>
      {isRunning && (
        <Button
          className={styles['stop']}
          disabled={isStopping || hindrance !== null}
          title={hindrance ?? undefined}
          onClick={stop}
        >
          <Square size={14} fill="currentColor" aria-hidden />
          Stop
        </Button>
      )}
      <Button kind="primary" disabled={disabled || !canSend} onClick={onSend}>
        <ArrowUp size={16} aria-hidden />
        Send
      </Button>
    </div>
  )
}
