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
import { changesTo, offeredOptions, risksOf, type OptionValues } from './option-values.ts'

/** The options of an agent: pickers for the few that change often, and a dialog for the others. */
export function OptionBar({
  schema,
  values,
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
  /** Null removes an option. */
  readonly onChange: (changes: OptionValues) => void
}): ReactElement {
  const [isOpen, setOpen] = useState(false)
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
          onChange={value => onChange({ [named[0]]: value })}
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
              if (Object.keys(changes).length > 0) onChange(changes)
            }}
          />
        </Dialog>,
        document.body,
      )}
    </div>
  )
}
