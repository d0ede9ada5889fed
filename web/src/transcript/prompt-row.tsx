import { useState, type ReactElement } from 'react'
import { inFull } from '../ui/moments.ts'
import { timeOfDay } from './days.ts'
import { MessageActions } from './message-actions.tsx'
import { PromptBubble } from './prompt-bubble.tsx'
import { hasDraft, PromptEditor } from './prompt-editor.tsx'
import styles from './prompt-row.module.css'
import { useRowSetting } from './row-setting.ts'
import type { RowOf } from './row.ts'

/** A prompt. */
export function PromptRow({ row: { key, of, at, thread } }: { readonly row: RowOf<'prompt'> }): ReactElement {
  const { live } = useRowSetting()
  const canEdit = live !== null && thread === null && of.role === 'user'
  const [edited, setEdited] = useState<'asked' | 'begun' | null>(() =>
    canEdit && hasDraft(live.session, of) ? 'begun' : null,
  )
  return (
    <article className={styles['prompt']} aria-label={of.role === 'user' ? 'You' : 'Instructions'}>
      {edited !== null && live !== null ? (
        <PromptEditor
          session={live.session}
          message={of}
          takesFocus={edited === 'asked'}
          onClose={() => setEdited(null)}
        />
      ) : (
        <>
          <PromptBubble name={key} parts={of.parts} />
          <div className={styles['beside']}>
            {at !== null && (
              <time dateTime={new Date(at).toISOString()} title={inFull(at)}>
                {timeOfDay(at)}
              </time>
            )}
            <MessageActions
              message={of}
              thread={thread}
              {...(canEdit && { onEdit: () => setEdited('asked') })}
            />
          </div>
        </>
      )}
    </article>
  )
}
