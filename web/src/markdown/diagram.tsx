import { useMemo, useState, type ReactElement } from 'react'
import { CodeXml, Workflow } from 'lucide-react'
import { useTheme } from '../ui/theme.ts'
import { InertText } from '../safety/inert-text.tsx'
import { Button } from '../ui/button.tsx'
import { CodeFrame } from './code-frame.tsx'
import { Code } from './code.tsx'
import { DiagramFrame } from './diagram-frame.tsx'
import { DiagramPicture, recallPicture } from './diagram-picture.tsx'
import { createMemory } from './memory.ts'
import styles from './diagram.module.css'

const longest = 50_000
/** A diagram that failed is not drawn again each time it scrolls into view. */
const troubles = createMemory<string>(100)

/** A diagram: its source while it is being written, then the drawing, with the source one click away. */
export function Diagram({ text, open }: { readonly text: string; readonly open: boolean }): ReactElement {
  const [isSource, showSource] = useState(false)
  const [failed, fail] = useState<{ readonly text: string; readonly trouble: string } | null>(null)
  const { theme } = useTheme()
  // Looked up once, so that the frame stays while it is visible.
  const picture = useMemo(() => (open ? undefined : recallPicture(text, theme)), [open, text, theme])
  if (open || text.trim() === '') return <Code text={text} language="mermaid" streaming={open} />
  if (text.length > longest) return <Undrawn text={text} trouble="The diagram is too long." />
  const trouble = failed?.text === text ? failed.trouble : troubles.recall(text)
  if (trouble !== undefined) return <Undrawn text={text} trouble={trouble} />
  const toggle = (
    <Button kind="quiet" small onClick={() => showSource(!isSource)}>
      {isSource ? <Workflow size={14} aria-hidden /> : <CodeXml size={14} aria-hidden />}
      {isSource ? 'Diagram' : 'Source'}
    </Button>
  )
  if (isSource) return <Code text={text} language="mermaid" tools={toggle} />
  return (
    <CodeFrame title="Diagram" tools={toggle}>
      {picture ? (
        <DiagramPicture picture={picture} />
      ) : (
        <DiagramFrame
          text={text}
          onFail={(why, isOfText) => {
            if (isOfText) troubles.keep(text, why)
            fail({ text, trouble: why })
          }}
        />
      )}
    </CodeFrame>
  )
}

const Undrawn = ({ text, trouble }: { readonly text: string; readonly trouble: string }): ReactElement => (
  <div>
    <Code text={text} language="mermaid" />
    <details className={styles['trouble']}>
      <summary>Couldn’t draw this diagram. Here is its source.</summary>
      <pre>
        <InertText text={trouble} />
      </pre>
    </details>
  </div>
)
