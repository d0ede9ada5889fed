import type { Hit, Search } from '../../src/search/search.ts'
import { foldCase } from '../../src/search/text/fold-case.ts'
import type { PlacedText } from './all-texts.ts'

/** How much of what is there was found, and how much was found that is not there. */
export interface Recall {
  readonly found: number
  readonly there: number
  readonly wrong: number
}

/** Compares all hits of queries with a look at every text. */
export async function measureRecall(
  search: Search,
  texts: readonly PlacedText[],
  queries: readonly string[],
): Promise<Recall> {
  let [found, there, wrong] = [0, 0, 0]
  for (const query of queries) {
    const test = truthOf(query)
    const wanted = new Set(texts.filter(({ text }) => test(text)).map(({ place }) => place))
    const hits = await allHits(search, query)
    there += wanted.size
    found += hits.filter(place => wanted.has(place)).length
    wrong += hits.filter(place => !wanted.has(place)).length
  }
  return { found, there, wrong }
}

/** What `grep -i` finds for words, each anywhere in the text; and for exact texts and patterns, themselves. */
function truthOf(query: string): (text: string) => boolean {
  const [, exact] = /^"(.*)"$/.exec(query) ?? []
  const [, pattern] = /^\/(.*)\/$/.exec(query) ?? []
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, 'm')
    return text => expression.test(text)
  }
  const parts = (exact === undefined ? query.split(' ') : [exact]).map(foldCase)
  return text => {
    const folded = foldCase(text)
    return parts.every(part => folded.includes(part))
  }
}

async function allHits(search: Search, query: string): Promise<readonly string[]> {
  const hits: Hit[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<Search['find']>> = await search.find({
      query,
      limit: 100,
      ...(cursor !== null && { cursor }),
    })
    hits.push(...page.hits)
    cursor = page.next
  } while (cursor !== null)
  return hits.map(({ session, part, kind }) => `${session} ${part ?? 'null/'} ${kind}`)
}
