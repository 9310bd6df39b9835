import "./shell/mantine.css";
import "@mantine/notifications/styles.css";
import "virtual:tokens.css";
import "./fonts/fonts.css";
import "./shell/base.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./shell/router.ts";
import { cssVariablesResolver, theme } from "./shell/theme.ts";
import { queryClient } from "./shell/trpc.ts";

/** With which the server lets styles in that are made while the page runs. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
setNonce(nonce);

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      // The stylesheet of their defaults, 4 kB, is not loaded: Mantine writes all of them.
      deduplicateCssVariables={false}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" limit={3} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
