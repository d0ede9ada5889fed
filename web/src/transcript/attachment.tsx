import type { ReactElement } from 'react'
import { FileText } from 'lucide-react'
import { ForeignImage } from '../links/foreign-image.tsx'
import { ForeignLink } from '../links/foreign-link.tsx'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import styles from './attachment.module.css'
import { isOwnImage, nameOf, type Attached } from './attached.ts'

/** A file in a message: an image, or its name. Nothing is loaded from elsewhere. */
export function Attachment({
  file,
  large = false,
}: {
  readonly file: Attached
  readonly large?: boolean
}): ReactElement {
  const name = nameOf(file)
  if (isOwnImage(file))
    return (
      <a className={styles['picture']} href={file.url} download={name} title={inertString(name)}>
        <img src={file.url} alt={inertString(name)} className={large ? styles['large'] : styles['small']} />
      </a>
    )
  if (file.mediaType.startsWith('image/')) return <ForeignImage address={file.url} alt={name} />
  const label = (
    <>
      <FileText size={15} aria-hidden />
      <span>
        <InertText text={name} />
      </span>
      <span className={styles['type']}>
        <InertText text={file.mediaType} />
      </span>
    </>
  )
  if (file.url.startsWith('data:'))
    return (
      <a className={styles['file']} href={file.url} download={name}>
        {label}
      </a>
    )
  return (
    <ForeignLink address={file.url}>
      <span className={styles['file']}>{label}</span>
    </ForeignLink>
  )
}
