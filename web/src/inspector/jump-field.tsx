import { useState, type FormEvent, type ReactElement } from 'react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import styles from './jump-field.module.css'

/** Jumps to an entry by its number, or to the previous or next one. */
export function JumpField({
  seq,
  head,
  onJump,
}: {
  /** The selected entry. */
  readonly seq: number | null
  readonly head: number
  readonly onJump: (seq: number) => void
}): ReactElement {
  const [typed, type] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = Number(typed)
    type(null)
    if (Number.isInteger(wanted) && wanted >= 1) onJump(Math.min(wanted, head))
  }
  return (
    <form className={styles['jump']} onSubmit={submit}>
      <IconButton
        label="Previous entry"
        disabled={seq === null || seq <= 1}
        onClick={() => seq !== null && onJump(seq - 1)}
      >
        <ChevronLeft size={16} aria-hidden />
      </IconButton>
      <label>
        <span className="unseen">Go to entry</span>
        <input
          type="number"
          min={1}
          max={head}
          value={typed ?? seq ?? ''}
          onChange={({ target }) => type(target.value)}
          onBlur={() => type(null)}
        />
      </label>
      <span className={styles['of']}>{`of ${head}`}</span>
      <IconButton
        label="Next entry"
        disabled={seq === null || seq >= head}
        onClick={() => seq !== null && onJump(seq + 1)}
      >
        <ChevronRight size={16} aria-hidden />
      </IconButton>
    </form>
  )
}
