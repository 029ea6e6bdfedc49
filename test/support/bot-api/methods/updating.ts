import type { WebhookInfo } from "grammy/types";
import type { MethodTable } from "../method.ts";
import type { Params } from "../params.ts";
import { unreadable } from "../params.ts";
import { badRequest, conflict, tooManyRequests } from "../refusal.ts";
import type { World } from "../world.ts";

/** How updates reach the bot: by long polls, or not while a webhook is set (the simulator calls none). */
export const updating: MethodTable = {
  async getUpdates({ world, params, gone }) {
    if (world.webhook.url !== "") throw conflict(WEBHOOK_ACTIVE);
    readAllowedUpdates(world, params);
    const limit = params.has("limit") ? clamp(params.integer("limit"), 1, 100) : 100;
    const timeoutMs = clamp(params.integer("timeout"), 0, 50) * 1000;
    return await world.longPoll.poll({ offset: params.integer("offset"), limit, timeoutMs }, gone);
  },

  setWebhook({ world, params }) {
    const url = params.text("url");
    const at = world.now();
    if (at - world.webhook.setAt < 1000) throw tooManyRequests(1);
    if (url !== "" && !/^https:\/\/[^/]*\.[^/]*/i.test(url))
      throw badRequest("invalid webhook URL specified");
    assertSecret(params.text("secret_token"));
    readAllowedUpdates(world, params);
    if (params.flag("drop_pending_updates")) world.updates.clear();
    const maxConnections = params.has("max_connections")
      ? clamp(params.integer("max_connections"), 1, 100)
      : 40;
    world.webhook = { url, setAt: at, maxConnections };
    if (url !== "") world.longPoll.end(conflict("terminated by setWebhook request"));
    return true;
  },

  deleteWebhook({ world, params }) {
    if (params.flag("drop_pending_updates")) world.updates.clear();
    world.webhook = { ...world.webhook, url: "" };
    return true;
  },

  getWebhookInfo({ world }) {
    const allowed = world.updates.allowedKinds();
    const info = {
      url: world.webhook.url,
      has_custom_certificate: false,
      pending_update_count: world.updates.pending(),
      ...(world.webhook.url !== "" && { max_connections: world.webhook.maxConnections }),
      ...(allowed !== undefined && { allowed_updates: allowed }),
    };
    return info satisfies Omit<WebhookInfo, "allowed_updates"> & { allowed_updates?: string[] };
  },
};

const WEBHOOK_ACTIVE =
  "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";

/** Left out, the list stays as it was. */
function readAllowedUpdates(world: World, params: Params): void {
  const given = params.json("allowed_updates");
  if (given === unreadable) throw badRequest("can't parse allowed updates JSON object");
  if (Array.isArray(given)) world.updates.allow(given.map(String));
}

function assertSecret(secret: string): void {
  if (secret.length > 256) throw badRequest("secret token is too long");
  if (!/^[\w-]*$/.test(secret)) throw badRequest("secret token contains unallowed characters");
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
