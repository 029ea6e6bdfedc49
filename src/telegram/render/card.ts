import type { View } from "../../core/view.ts";
import { renderAnswer } from "./cards/answer.ts";
import { renderAudit } from "./cards/audit.ts";
import { renderHeld } from "./cards/held.ts";
import { renderNotice } from "./cards/notice.ts";
import { renderPending } from "./cards/pending.ts";
import { renderPlan } from "./cards/plan.ts";
import { renderPlanMode } from "./cards/planmode.ts";
import { renderProgress } from "./cards/progress.ts";
import { renderProjects } from "./cards/projects.ts";
import { renderQuestion } from "./cards/question.ts";
import { renderRequest } from "./cards/request.ts";
import { renderStatus } from "./cards/status.ts";
import { renderTrust } from "./cards/trust.ts";
import type { Rendered, RenderOptions } from "./rendered.ts";

/** Draws a view as messages that Telegram takes as they are, whatever texts the view holds. */
export function renderView(view: View, options: RenderOptions = {}): Rendered {
  switch (view.kind) {
    case "request":
      return renderRequest(view, options);
    case "plan":
      return renderPlan(view, options);
    case "question":
      return renderQuestion(view, options);
    case "progress":
      return renderProgress(view, options);
    case "answer":
      return renderAnswer(view);
    case "notice":
      return renderNotice(view);
    case "trust":
      return renderTrust(view, options);
    case "held":
      return renderHeld(view);
    case "pending":
      return renderPending(view, options);
    case "projects":
      return renderProjects(view);
    case "planmode":
      return renderPlanMode(view);
    case "status":
      return renderStatus(view);
    case "audit":
      return renderAudit(view, options);
  }
}
