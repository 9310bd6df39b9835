import { InputBase } from "@mantine/core";
import type { ComponentProps } from "react";
import "./text-area.css";

/** A field of several lines, which grows with its text where the browser can. */
export function TextArea(props: ComponentProps<typeof InputBase<"textarea">>) {
  return <InputBase component="textarea" multiline {...props} classNames={{ input: "text-area" }} />;
}
