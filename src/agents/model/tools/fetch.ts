import * as z from 'zod/mini'
import { fetchPage } from './fetch-page.ts'
import { pageText } from './page-text.ts'
import { bounded, defineTool, ToolRefusal } from './tool.ts'

const mostRedirects = 5

/** Fetches a page. */
export const fetch = defineTool({
  name: 'fetch',
  description: 'Fetches a web page by its URL (http or https) and returns its text.',
  schema: z.strictObject({ url: z.string() }),
  asks: true,
  async run({ url }, { settings, signal }) {
    let at = addressOf(url)
    for (let hop = 0; hop <= mostRedirects; hop += 1) {
      const page = await fetchPage(at, settings.fetchLocal, signal)
      const next =
        page.location === null || page.status < 300 || page.status >= 400 ? null : new URL(page.location, at)
      if (next === null) return await shown(page, at)
      // Only this address was approved, not the one of the redirect.
      if (next.host !== at.host) return `It has moved to ${next.href}. Fetch that if it is what you want.`
      at = addressOf(next.href)
    }
    throw new ToolRefusal(`${url} redirects in a loop.`)
  },
})

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ToolRefusal(`${text} is not an http or https URL.`)
  if (url.username !== '' || url.password !== '') throw new ToolRefusal('A URL must not contain a password.')
  return url
}

async function shown(page: Awaited<ReturnType<typeof fetchPage>>, url: URL): Promise<string> {
  const { status, mediaType, text, isCut } = page
  if (status >= 400)
    throw new ToolRefusal(`${url.href} answered with status ${status}: ${bounded(await pageText(text), 500)}`)
  const isText = /^text\/|json|xml|javascript|^$/.test(mediaType)
  if (!isText) throw new ToolRefusal(`${url.href} is not text but ${mediaType}.`)
  const content = mediaType.includes('html') ? await pageText(text) : text
  return bounded(content) + (isCut ? '\n[The page was too long and is cut.]' : '')
}
