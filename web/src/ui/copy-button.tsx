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
  const [said, say] = useState<string | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => say(null), 1500)
    return () => clearTimeout(timer)
  }, [said])
  const copy = () =>
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => say('Copied'),
      () => say('The browser blocked copying'),
    )
  return (
    <IconButton label={said ?? label} onClick={() => void copy()}>
      {said === 'Copied' ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      <span className="unseen" role="status">
        {said}
      </span>
    </IconButton>
  )
}
