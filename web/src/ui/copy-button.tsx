import { useEffect, useState, type ReactElement } from 'react'
import { Check, Copy } from 'lucide-react'
import { IconButton } from './button.tsx'

/** Copies text, and confirms it briefly. */
export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string | (() => string)
  readonly label?: string
}): ReactElement {
  const [message, setMessage] = useState<string | null>(null)
  useEffect(() => {
    if (message === null) return
    const timer = setTimeout(() => setMessage(null), 1500)
    return () => clearTimeout(timer)
  }, [message])
  const copy = () =>
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => setMessage('Copied'),
      () => setMessage('The browser blocked copying'),
    )
  return (
    <IconButton label={message ?? label} onClick={() => void copy()}>
      {message === 'Copied' ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      <span className="unseen" role="status">
        {message}
      </span>
    </IconButton>
  )
}
