import { useState, type ReactElement } from 'react'
import { Copy, Ellipsis, FileCode2, GitFork, Link, Pencil } from 'lucide-react'
import type { Message } from 'dragoman'
import { addressOf, go } from '../places.ts'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { toast, toastError } from '../ui/toast.ts'
import { useMedia } from '../ui/use-media.ts'
import styles from './message-actions.module.css'
import { useRowSetting, type LiveSetting } from './row-setting.ts'
import { wordsOf } from './usage-of.ts'

interface MessageActionsProps {
  readonly message: Message
  readonly thread: string | null
  readonly onEdit?: () => void
}

/** Actions for a message; where nothing can hover, one menu. */
export function MessageActions(props: MessageActionsProps): ReactElement {
  const isTouch = useMedia('(hover: none)')
  return isTouch ? <ActionMenu {...props} /> : <ActionButtons {...props} />
}

function ActionButtons({ message, thread, onEdit }: MessageActionsProps): ReactElement {
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

function ActionMenu({ message, thread, onEdit }: MessageActionsProps): ReactElement {
  const { live, onInspect } = useRowSetting()
  const picture = { size: 16, 'aria-hidden': true } as const
  const items: MenuItem[] = [
    { label: 'Copy', icon: <Copy {...picture} />, onChoose: () => copyText(wordsOf(message), 'Copied.') },
  ]
  if (onEdit !== undefined) items.unshift({ label: 'Edit', icon: <Pencil {...picture} />, onChoose: onEdit })
  if (live !== null && thread === null)
    items.push(
      {
        label: 'Copy link',
        icon: <Link {...picture} />,
        onChoose: () => copyText(linkTo(live, message.id), 'Link copied.'),
      },
      {
        label: 'Branch from here',
        icon: <GitFork {...picture} />,
        onChoose: () => void fork(live, message.id).catch(toastError),
      },
    )
  if (onInspect !== null)
    items.push({
      label: 'Raw',
      icon: <FileCode2 {...picture} />,
      onChoose: () => onInspect({ message: message.id }),
    })
  return <Menu label="Message actions" icon={<Ellipsis size={18} aria-hidden />} items={items} />
}

const copyText = (text: string, done: string) =>
  void navigator.clipboard.writeText(text).then(
    () => toast(done),
    () => toast('The browser blocked copying.'),
  )

const linkTo = ({ session }: LiveSetting, message: string): string =>
  new URL(addressOf({ page: 'session', session: session.id, message }), window.location.href).href

/** Opens a new session that continues after a message. */
async function fork({ session }: LiveSetting, message: string): Promise<void> {
  const { id } = await session.branch(message)
  go({ page: 'session', session: id })
}

interface Of {
  readonly live: LiveSetting
  readonly message: string
}

function LinkButton({ live, message }: Of): ReactElement {
  const [copied, setCopied] = useState<string | null>(null)
  const copy = () =>
    navigator.clipboard.writeText(linkTo(live, message)).then(
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
export function ForkButton({ live, message }: Of): ReactElement {
  const [state, setState] = useState<'ready' | 'busy' | { readonly problem: string }>('ready')
  const branch = async () => {
    setState('busy')
    try {
      await fork(live, message)
      setState('ready')
    } catch (error) {
      setState({ problem: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <>
      <IconButton label="Branch from here" disabled={state === 'busy'} onClick={() => void branch()}>
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
