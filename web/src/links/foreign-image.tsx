import type { ReactElement } from 'react'
import { Image } from 'lucide-react'
import { readForeignAddress } from './foreign-address.ts'
import { ForeignLink } from './foreign-link.tsx'
import { isInlineImage } from '../safety/inline-image.ts'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import styles from './foreign-link.module.css'

/** The props of an untrusted image. */
export interface ForeignImageProps {
  readonly address: string
  readonly alt: string
  readonly title?: string | null | undefined
}

/**
 * An image from an agent or tool. It is shown only if its data is already here; others are never fetched, but
 * become a link.
 */
export function ForeignImage({ address, alt, title }: ForeignImageProps): ReactElement {
  if (isInlineImage(address))
    return (
      <img className={styles['picture']} src={address} alt={inertString(alt)} title={title ?? undefined} />
    )
  const host = readForeignAddress(address)?.host
  const isHeld = /^data:/i.test(address)
  return (
    <span className={styles['image']}>
      <Image size={14} aria-hidden />
      {isHeld ? (
        <InertText text={`${alt} (unsupported image type)`} />
      ) : (
        <ForeignLink address={address} title={title}>
          <InertText text={alt === '' ? 'Image' : alt} />
          {host === undefined ? '' : ` (on ${host})`}
        </ForeignLink>
      )}
    </span>
  )
}
