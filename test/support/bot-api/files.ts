import { extname } from "node:path";
import type { Document, File } from "grammy/types";
import type { Upload } from "./params.ts";

/** A file that Telegram keeps, under all the names it has there. */
export type StoredFile = {
  id: string;
  uniqueId: string;
  path: string;
  name: string;
  type: string;
  content: Buffer;
};

/** All files of one bot. */
export type FileStore = ReturnType<typeof createFileStore>;

/** Makes an empty store. */
export function createFileStore() {
  const byId = new Map<string, StoredFile>();
  return {
    add(upload: Upload, folder: "documents" | "photos" | "voice"): StoredFile {
      const number = byId.size + 1;
      const id = `BQACAgIAAx${Buffer.from(`file ${number}`).toString("base64url")}`;
      const name = upload.name.split(/[\\/]/).at(-1) ?? "";
      const extension = extname(name);
      const file: StoredFile = {
        id,
        uniqueId: `AgAD${number.toString(36).padStart(6, "0")}`,
        path: `${folder}/file_${number}${extension}`,
        name,
        type: TYPES[extension.toLowerCase()] ?? "application/octet-stream",
        content: upload.content,
      };
      byId.set(id, file);
      return file;
    },
    byId: (id: string): StoredFile | undefined => byId.get(id),
    byPath: (path: string): StoredFile | undefined => [...byId.values()].find((file) => file.path === path),
  };
}

/** A file as a message shows it. */
export function asDocument(file: StoredFile): Document {
  return {
    file_id: file.id,
    file_unique_id: file.uniqueId,
    file_name: file.name,
    mime_type: file.type,
    file_size: file.content.length,
  };
}

/** A file as getFile shows it. */
export function asFile(file: StoredFile): File {
  return {
    file_id: file.id,
    file_unique_id: file.uniqueId,
    file_size: file.content.length,
    file_path: file.path,
  };
}

const TYPES: Readonly<Record<string, string>> = {
  ".txt": "text/plain",
  ".md": "text/markdown",
  ".log": "text/plain",
  ".diff": "text/x-diff",
  ".patch": "text/x-diff",
  ".json": "application/json",
  ".html": "text/html",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".ogg": "audio/ogg",
};
