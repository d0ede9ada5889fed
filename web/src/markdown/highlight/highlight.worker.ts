import { createCssVariablesTheme, createHighlighterCore, type ThemedToken } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { kinds, type ColouredLine, type ColourReply, type ColourRequest } from './coloured.ts'
import { grammars } from './languages.ts'

// Colours code beside the page, so that the page never waits for it.
const theme = createCssVariablesTheme({ name: 'kinds', variablePrefix: '--', fontStyle: false })
const engine = createJavaScriptRegexEngine({ forgiving: true })
const highlighter = createHighlighterCore({ themes: [theme], langs: [], engine })

async function colour({ text, language }: ColourRequest): Promise<readonly ColouredLine[]> {
  const core = await highlighter
  await core.loadLanguage(grammars[language])
  // No limit for a line: an interrupted line would have wrong colors. The page stops a worker that takes too long.
  const options = { lang: language, theme: 'kinds', tokenizeMaxLineLength: 2_000, tokenizeTimeLimit: 0 }
  return core.codeToTokensBase(text, options).map(lineOf)
}

function lineOf(tokens: readonly ThemedToken[]): ColouredLine {
  const line: [number, string][] = []
  for (const { content, color = '' } of tokens) {
    const kind = Math.max(
      0,
      kinds.indexOf(color.replace(/^var\(--token-|\)$/g, '') as (typeof kinds)[number]),
    )
    const last = line.at(-1)
    if (last && (last[0] === kind || content.trim() === '')) last[1] += content
    else line.push([kind, content])
  }
  return line
}

const answer = (reply: ColourReply) => postMessage(reply)

addEventListener('message', ({ data }: MessageEvent<ColourRequest>) => {
  colour(data).then(
    lines => answer({ id: data.id, lines }),
    () => answer({ id: data.id, lines: null }),
  )
})
