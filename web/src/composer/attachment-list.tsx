import type { ReactElement } from 'react'
import { FileText, X } from 'lucide-react'
import { InertText } from '../safety/inert-text.tsx'
import { inertString } from '../safety/inert-text.ts'
import { bytes } from '../ui/amounts.ts'
import { IconButton } from '../ui/button.tsx'
import { isPicture, type Attachment } from './attachment.ts'
import styles from './attachment-list.module.css'

/** The files that will go with a prompt. */
export function AttachmentList({
  attachments,
  onRemove,
}: {
  readonly attachments: readonly Attachment[]
  readonly onRemove: (attachment: string) => void
}): ReactElement | null {
  if (attachments.length === 0) return null
  return (
    <ul className={styles['list']} aria-label="Attachments">
      {attachments.map(attachment => (
        <li key={attachment.id} className={styles['item']}>
          {isPicture(attachment) ? (
            <img className={styles['picture']} src={attachment.url} alt="" />
          ) : (
            <FileText className={styles['icon']} size={20} aria-hidden />
          )}
          <span className={styles['words']}>
            <span className={styles['name']}>
              <InertText text={attachment.name} />
            </span>
            <span className={styles['size']}>{bytes(attachment.size)}</span>
          </span>
          <IconButton
            label={`Remove ${inertString(attachment.name)}`}
            onClick={() => onRemove(attachment.id)}
          >
            <X size={16} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
