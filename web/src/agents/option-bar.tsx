import { useState, type ReactElement } from 'react'
import { createPortal } from 'react-dom'
import { SlidersHorizontal } from 'lucide-react'
import type { OptionsSchema } from 'dragoman'
import { InertText } from '../safety/inert-text.tsx'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from './option-bar.module.css'
import { OptionForm } from './option-form.tsx'
import { OptionPicker } from './option-picker.tsx'
import { afterChanges, changesTo, offeredOptions, risksOf, type OptionValues } from './option-values.ts'

/** The options of an agent: pickers for the few that change often, and a dialog for the others. */
export function OptionBar({
  schema,
  values: saved,
  model = null,
  isNew = false,
  hindrance,
  onChange,
}: {
  readonly schema: OptionsSchema
  readonly values: OptionValues
  /** The model that the agent reported. */
  readonly model?: string | null
  /** Whether there is no session yet. */
  readonly isNew?: boolean
  /** Why options cannot be changed now, as a sentence. */
  readonly hindrance: string | null
  /** Gets what changes (null removes an option), and all values after it. What is rejected is shown as it was. */
  readonly onChange: (changes: OptionValues, all: OptionValues) => void | Promise<void>
}): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const [values, change] = useShownValues(saved, onChange)
  const { bar, more, advanced } = offeredOptions(schema, isNew)
  const why = hindrance ?? undefined
  const label = 'More options'
  return (
    <div className={styles['bar']} role="group" aria-label="Agent options">
      {bar.map(named => (
        <OptionPicker
          key={named[0]}
          named={named}
          value={values[named[0]]}
          preset={named[0] === 'model' ? model : null}
          disabled={hindrance !== null}
          why={why}
          onChange={value => change({ [named[0]]: value })}
        />
      ))}
      {more.length + advanced.length > 0 && (
        <IconButton
          label={label}
          title={why ?? label}
          aria-haspopup="dialog"
          disabled={hindrance !== null}
          onClick={() => setOpen(true)}
        >
          <SlidersHorizontal size={16} aria-hidden />
        </IconButton>
      )}
      {risksOf(schema, values).map(risk => (
        <p key={risk} className={styles['risk']} role="note">
          <InertText text={risk} />
        </p>
      ))}
      {createPortal(
        <Dialog open={isOpen} title={label} onClose={() => setOpen(false)}>
          <OptionForm
            options={more}
            advanced={advanced}
            values={values}
            onCancel={() => setOpen(false)}
            onSave={given => {
              setOpen(false)
              const changes = changesTo(values, given)
              if (Object.keys(changes).length > 0) change(changes)
            }}
          />
        </Dialog>,
        document.body,
      )}
    </div>
  )
}

/** The values with the changes that are being saved, so that a list follows the keyboard at once. */
function useShownValues(
  saved: OptionValues,
  onChange: (changes: OptionValues, all: OptionValues) => void | Promise<void>,
): readonly [OptionValues, (changes: OptionValues) => void] {
  const [sent, setSent] = useState<{ readonly over: OptionValues; readonly values: OptionValues } | null>(
    null,
  )
  const values = sent?.over === saved ? sent.values : saved
  const change = (changes: OptionValues) => {
    const all = afterChanges(values, changes)
    setSent({ over: saved, values: all })
    Promise.resolve(onChange(changes, all)).catch(() => setSent(null))
  }
  return [values, change]
}
