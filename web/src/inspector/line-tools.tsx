import type { ReactElement } from 'react'
import { counted } from '../ui/amounts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { JumpField } from './jump-field.tsx'
import styles from './line-tools.module.css'
import type { InspectTarget } from './target.ts'
import { forms, type Form, type Inspection } from './use-inspection.ts'

/** Lines to show, how, and the way to any of them. */
export function LineTools({
  inspection: { target, reading, isWhole, setWhole, shown, form, setForm, jump },
  seq,
}: {
  readonly inspection: Inspection
  /** The selected entry. */
  readonly seq: number | null
}): ReactElement {
  return (
    <div className={styles['tools']}>
      {!('seq' in target) && (
        <select
          aria-label="Lines to show"
          value={isWhole ? 'all' : 'mine'}
          onChange={({ target: { value } }) => setWhole(value === 'all')}
        >
          <option value="mine">{nameOf(target)}</option>
          <option value="all">Whole session from here</option>
        </select>
      )}
      <select aria-label="Format" value={form} onChange={({ target: { value } }) => setForm(value as Form)}>
        {Object.entries(forms).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      <JumpField seq={seq} head={reading.head} onJump={jump} />
      <CopyButton
        text={() => shown.flatMap(({ raw }) => raw ?? []).join('\n')}
        label={`Copy all (${counted(shown.length, 'line')})`}
      />
    </div>
  )
}

const nameOf = (target: InspectTarget) => ('toolCall' in target ? 'This tool call' : 'This message')
