import { useState, type ReactElement } from 'react'
import { FileCode2, GitFork, Link, Pencil } from 'lucide-react'
import type { Message } from 'dragoman'
import { addressOf, go } from '../places.ts'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import styles from './message-actions.module.css'
import { useRowSetting, type LiveSetting } from './row-setting.ts'
import { wordsOf } from './usage-of.ts'

/** Actions for a message. */
export function MessageActions({
  message,
  thread,
  onEdit,
}: {
  readonly message: Message
  readonly thread: string | null
  readonly onEdit?: () => void
}): ReactElement {
  const { live, onInspect } = useRowSetting()
  const isMain = thread === null
  return (
    <div className={styles['actions']} role="group" aria-label="Message actions">
      {onInspect !== null && (
        <IconButton label="Raw" onClick={() => onInspect({ message: message.id })}>
          <FileCode2 size={15} aria-hidden />
        </IconButton>
      )}
      <CopyButton text={() => wordsOf(message)} />
      {live !== null && isMain && <LinkButton live={live} message={message.id} />}
      {live !== null && isMain && <ForkButton live={live} message={message.id} />}
      {onEdit !== undefined && (
        <IconButton label="Edit" onClick={onEdit}>
          <Pencil size={15} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

interface Of {
  readonly live: LiveSetting
  readonly message: string
}

function LinkButton({ live: { session }, message }: Of): ReactElement {
  const [copied, setCopied] = useState<string | null>(null)
  const address = addressOf({ page: 'session', session: session.id, message })
  const copy = () =>
    navigator.clipboard.writeText(new URL(address, window.location.href).href).then(
      () => setCopied('Link copied'),
      () => setCopied('The browser blocked copying'),
    )
  return (
    <IconButton label={copied ?? 'Link'} onClick={() => void copy()} onBlur={() => setCopied(null)}>
      <Link size={15} aria-hidden />
      <span className="unseen" role="status">
        {copied}
      </span>
    </IconButton>
  )
}

/** Creates a session that continues after a message. */
export function ForkButton({ live: { session }, message }: Of): ReactElement {
  const [state, setState] = useState<'ready' | 'busy' | { readonly problem: string }>('ready')
  const fork = async () => {
    setState('busy')
    try {
      const { id } = await session.branch(message)
      setState('ready')
      go({ page: 'session', session: id })
    } catch (error) {
      setState({ problem: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <>
      <IconButton label="Branch from here" disabled={state === 'busy'} onClick={() => void fork()}>
        <GitFork size={15} aria-hidden />
      </IconButton>
      {typeof state === 'object' && (
        <span role="alert" className={styles['problem']}>
          {state.problem}
        </span>
      )}
    </>
  )
}
