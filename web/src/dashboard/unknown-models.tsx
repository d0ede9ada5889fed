import type { ReactElement } from 'react'
import type { Usage } from 'dragoman/client/usage'
import { InertText } from '../safety/inert-text.tsx'
import { short } from '../ui/amounts.ts'
import { Note } from './note.tsx'

/** Names the models whose tokens have no cost. */
export function UnknownModels({ models }: Pick<Usage['unknown'], 'models'>): ReactElement | null {
  if (models.length === 0) return null
  const names = models.map(({ model, tokens }) => `${model ?? 'unknown model'} (${short(tokens)} tokens)`)
  return (
    <Note>
      No price is known for <InertText text={names.join(', ')} />. To add prices, set “prices” in
      dragoman.json.
    </Note>
  )
}
